import { useQuery } from '@tanstack/react-query';
import type { Delivery } from '@waybill/client';
import { useState } from 'react';
import { deliveredPayloadQuery } from '../api/deliveries.js';
import { bytesText } from './bytes.js';
import { CopyButton } from './copy-button.js';
import { QueryState } from './query-state.js';
import ui from './ui.module.css';

/** The bytes of the event as a delivery sends them, and the stored responses. */
export function SentEvent({ delivery }: { readonly delivery: Delivery }) {
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({ ...deliveredPayloadQuery(delivery), enabled: isOpen });
  const { data: text } = query;
  if (delivery.sequence === null || delivery.epoch === null) return null;
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>What is sent, and the stored response</summary>
      <div className={ui.items}>
        {text === undefined ? (
          <QueryState query={query} what="event" />
        ) : (
          <>
            <p className={ui.line}>
              {bytesText(new TextEncoder().encode(text).length)}
              <CopyButton text={text} label="Copy the bytes" withLabel />
            </p>
            {/* The area scrolls, so the keyboard must reach it. */}
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
            <pre className={ui.card} role="region" aria-label="The event as it is sent" tabIndex={0}>
              {text}
            </pre>
          </>
        )}
        <p className={ui.note}>
          These are the bytes of the event in its record, made again from what is stored. The request around it is not
          kept: the other events of the batch, the compression, and what the target adds.
        </p>
        <p className={ui.note}>
          Of a response, Waybill keeps the code, the message and the HTTP status of a failure: see the attempts. Of a
          success, it keeps only that the target accepted the event.
        </p>
      </div>
    </details>
  );
}
