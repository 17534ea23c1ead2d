import { createLazyRoute } from '@tanstack/react-router';
function NewDestination() { return null; }
export const screen = createLazyRoute('/signed-in/destinations/new')({ component: NewDestination });
