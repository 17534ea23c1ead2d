import { Button } from '../components/button.js';
import { MOD_KEY } from '../components/hotkey.js';
import { ModalDialog } from '../components/modal-dialog.js';
import ui from '../components/ui.module.css';

const keys: readonly (readonly [string, string])[] = [
  [
    `${MOD_KEY} K`,
    'Jump to a page, a destination or a resource; “pause …”, “mute …” and “test …” act on a destination',
  ],
  ['/', 'The search field of the page'],
  ['?', 'These keys'],
  ['↑ ↓ Home End Page up Page down', 'Move between the rows of a table'],
  ['← →', 'Move within a row'],
  ['Enter', 'Open the row'],
  ['Space', 'Select the row'],
  ['Esc', 'Close a dialog, empty a field'],
];

/** The keys of the console. */
export default function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <ModalDialog title="Keys" onClose={onClose}>
      <dl className={ui.stack}>
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <div className={`${ui.line} ${ui.end}`}>
        <Button onPress={onClose}>Close</Button>
      </div>
    </ModalDialog>
  );
}
