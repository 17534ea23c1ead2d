import { useState } from 'react';
import { IconButton } from './button.js';
import styles from './copy-button.module.css';

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
      <span role="status" className={styles.result}>
        {failed && 'Not pasted: the browser refused it'}
      </span>
    </span>
  );
}
