import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { Icon, type IconName } from './icon.js';
import styles from './button.module.css';

/** Properties of `Button`. */
export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'> {
  /** What the button does: one `main` button of a page or dialog, `danger` for what cannot be undone. */
  readonly look?: 'main' | 'plain' | 'quiet' | 'danger';
  readonly icon?: IconName;
  readonly children: string;
}

/** A button with a text. */
export function Button({ look = 'plain', icon, children, ...props }: ButtonProps) {
  return (
    <AriaButton {...props} className={styles.button} data-look={look}>
      {icon && <Icon name={icon} />}
      {children}
    </AriaButton>
  );
}

/** A button that is a picture; `label` is its name. */
export function IconButton({
  label,
  icon,
  ...props
}: Omit<AriaButtonProps, 'className' | 'style' | 'children'> & { readonly label: string; readonly icon: IconName }) {
  return (
    <AriaButton {...props} aria-label={label} className={styles.icon}>
      <Icon name={icon} />
    </AriaButton>
  );
}
