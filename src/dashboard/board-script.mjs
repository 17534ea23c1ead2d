// Runs in the browser, beside bull-board: names its controls that show nothing but an icon.

/** Names by the class of an icon (https://lucide.dev/icons), without `lucide-`. */
const names = new Map([
  ['refresh-cw', 'Retry'],
  ['files', 'Duplicate'],
  ['corner-up-left', 'Promote'],
  ['trash-2', 'Remove'],
  ['pencil', 'Change the data'],
  ['copy', 'Copy'],
  ['check', 'Copied'],
  ['maximize', 'Full screen'],
  ['settings', 'Settings'],
  ['circle-user', 'Other pages'],
  ['ellipsis-vertical', 'Actions'],
  ['chevron-up', 'Hide the details'],
  ['chevron-down', 'Show the details'],
  ['chevron-left', 'Previous page'],
  ['chevron-right', 'Next page'],
  ['pause', 'Stop following'],
  ['play', 'Follow'],
  ['external-link', 'Open in a new tab'],
]);

/** The name of the button with the one icon of another origin: the logo of Redis, also over queues in Postgres. */
const details = document.body.dataset.queues === 'postgres' ? 'PostgreSQL details' : 'Redis details';

/** Marks a name that this script has set: it follows the icon. */
const MARK = 'data-named';

function nameOf(control) {
  const icon = control.querySelector('svg');
  if (icon === null) return null;
  const known = [...icon.classList].map((name) => names.get(name.replace(/^lucide-/, ''))).find(Boolean);
  if (known !== undefined) return known;
  if (icon.getAttribute('role') !== 'img') return null;
  icon.setAttribute('aria-hidden', 'true');
  return details;
}

function isNameless(control) {
  if (control.hasAttribute(MARK)) return true;
  return (
    // Not `textContent`: the logo has a style sheet.
    control.innerText.trim() === '' &&
    !['aria-label', 'aria-labelledby', 'title'].some((attribute) => control.hasAttribute(attribute))
  );
}

/** Puts the visible text of a control into its name: who speaks to the page says what is shown. */
function completeName(control) {
  const [label, text] = [control.getAttribute('aria-label'), control.innerText.trim()];
  if (label !== null && text !== '' && !label.includes(text)) control.setAttribute('aria-label', `${text}: ${label}`);
}

function nameControls() {
  for (const control of document.querySelectorAll('button[aria-label]')) completeName(control);
  for (const control of document.querySelectorAll('button, a, [role="button"]')) {
    const name = isNameless(control) ? nameOf(control) : null;
    if (name === null || control.getAttribute('aria-label') === name) continue;
    control.setAttribute(MARK, '');
    control.setAttribute('aria-label', name);
    control.setAttribute('title', name);
  }
}

new MutationObserver(nameControls).observe(document.body, {
  childList: true,
  subtree: true,
  attributeFilter: ['class'],
});
nameControls();
