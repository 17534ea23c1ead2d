import { useRef } from 'react';
import { randomKey } from '../api/request.js';

/**
 * Returns a function that gives the idempotency key of what a form sends: the same one for the same body. The response
 * of the first request may be lost: sending it again must not create a second resource.
 */
export function useIdempotencyKey(): (body: unknown) => string {
  const sent = useRef({ body: '', key: '' });
  return (body) => {
    const text = JSON.stringify(body);
    if (text !== sent.current.body) sent.current = { body: text, key: randomKey() };
    return sent.current.key;
  };
}
