import { useEffect, useState } from 'react';
import { Button, IconButton } from './button.js';
import styles from './copy-button.module.css';
import ui from './ui.module.css';

/** Time for which the result is shown, in milliseconds. */
const SHOWN_MS = 2_000;

interface CopyButtonProps {
  readonly text: string;
  /** Names what is copied: `Copy the id`. */
  readonly label: string;
  /** Whether the label is shown beside the picture. */
  readonly withLabel?: boolean;
}

/** Copies a text to the clipboard. */
export function CopyButton({ text, label, withLabel = false }: CopyButtonProps) {
  const [result, setResult] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (result === null) return undefined;
    const timer = setTimeout(() => setResult(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [result]);
  const icon = result === 'copied' ? 'healthy' : 'copy';
  const onPress = (): void => {
    void copy(text).then((done) => setResult(done ? 'copied' : 'failed'));
  };
  return (
    <span className={styles.copy}>
      {withLabel ? (
        <Button icon={icon} onPress={onPress}>
          {label}
        </Button>
      ) : (
        <IconButton label={label} icon={icon} onPress={onPress} />
      )}
      <span role="status" className={ui.note}>
        {result === 'copied' && 'Copied'}
        {result === 'failed' && 'Not copied: the browser refused it'}
      </span>
    </span>
  );
}

/** Copies a text. @returns whether the browser did it */
async function copy(text: string): Promise<boolean> {
  try {
    // Exists over HTTPS and on localhost only.
    if ('clipboard' in navigator) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // The browser may still allow the older way.
  }
  return copySelection(text);
}

function copySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = styles.field ?? '';
  document.body.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
}

/** Puts the text of the clipboard into a field. Shown where the browser has such an interface: over HTTPS. */
export function PasteButton({ label, onPaste }: { readonly label: string; readonly onPaste: (text: string) => void }) {
  const [failed, setFailed] = useState(false);
  if (!('clipboard' in navigator) || !('readText' in navigator.clipboard)) return null;
  const paste = async (): Promise<void> => {
    try {
      onPaste((await navigator.clipboard.readText()).trim());
      setFailed(false);
    } catch {
      setFailed(true);
    }
  };
  return (
    <span className={styles.copy}>
      <IconButton label={label} icon="paste" onPress={() => void paste()} />
      <span role="status" className={ui.note}>
        {failed && 'Not pasted: the browser refused it'}
      </span>
    </span>
  );
}
