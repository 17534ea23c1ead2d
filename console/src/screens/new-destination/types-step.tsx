import { Link } from '@tanstack/react-router';
import type { ChosenType, TypeChange } from '../../api/chosen-types.js';
import { TypeChooser } from '../../components/event-types/type-chooser.js';
import { TypeList } from '../../components/event-types/type-list.js';

interface TypesStepProps {
  readonly types: readonly ChosenType[];
  /** The ids of the destination and of its subscription; null before the subscription is created. */
  readonly made: { readonly id: string; readonly subscriptionId: string } | null;
  readonly onChange: (change: TypeChange) => void;
}

/** Chooses the event types, and shows them when the subscription has them. */
export function TypesStep({ types, made, onChange }: TypesStepProps) {
  if (made === null) return <TypeChooser types={types} onChange={onChange} />;
  return (
    <>
      <TypeList sources={types} />
      <p>
        <Link to="/destinations/$id/subscriptions/$subscriptionId" params={made}>
          Change the event types
        </Link>
      </p>
    </>
  );
}
