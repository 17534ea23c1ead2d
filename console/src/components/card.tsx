import { useId, type ReactNode } from 'react';
import ui from './ui.module.css';

/** A part of a page in a frame, with its heading. */
export function Card({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section className={`${ui.card} ${ui.stack}`} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
