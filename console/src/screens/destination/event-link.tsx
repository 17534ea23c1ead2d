import { useRouter } from '@tanstack/react-router';

/** Leads to the page of an event. */
export function EventLink({ id }: { readonly id: string }) {
  const { history } = useRouter();
  const href = `/console/events/${encodeURIComponent(id)}`;
  return (
    <a
      href={href}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        history.push(href);
      }}
    >
      <code>{id}</code>
    </a>
  );
}
