import { useEffect, useRef, useState } from 'react';

/**
 * Returns a value that changes often, at most once in a time.
 * @param ms that time, in milliseconds
 */
export function useSlow<Value>(value: Value, ms: number): Value {
  const latest = useRef(value);
  const [shown, show] = useState(value);
  useEffect(() => {
    latest.current = value;
  }, [value]);
  useEffect(() => {
    const timer = setInterval(() => show(latest.current), ms);
    return () => clearInterval(timer);
  }, [ms]);
  return shown;
}
