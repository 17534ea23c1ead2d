import { useState } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { Icon, type IconName } from './icon.js';
import styles from './button.module.css';
import ui from './ui.module.css';

interface ButtonProps extends Omit<
  AriaButtonProps,
  'className' | 'style' | 'children' | 'isPending' | 'onFocusChange'
> {
  /** What the button does: one `main` button of a page or dialog, `danger` for what cannot be undone. */
  readonly look?: 'main' | 'plain' | 'quiet' | 'danger';
  readonly icon?: IconName;
  /** Whether it is doing its work: it does nothing more then, and keeps the focus, which a disabled button loses. */
  readonly isBusy?: boolean;
  readonly children: string;
}

/** A button with a text. It keeps the focus when it is disabled, until the focus moves on. */
export function Button({ look = 'plain', icon, isBusy = false, isDisabled = false, children, ...props }: ButtonProps) {
  const [isFocused, setFocused] = useState(false);
  const isInert = isBusy || (isDisabled && isFocused);
  const inert = isInert ? ({ type: 'button', 'aria-disabled': true, onPress: undefined } as const) : null;
  return (
    <AriaButton
      {...props}
      {...inert}
      isDisabled={isDisabled && !isInert}
      onFocusChange={setFocused}
      className={`${ui.control} ${styles.button}`}
      data-look={look}
    >
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
    <AriaButton {...props} aria-label={label} className={`${ui.control} ${styles.icon}`}>
      <Icon name={icon} />
    </AriaButton>
  );
}
