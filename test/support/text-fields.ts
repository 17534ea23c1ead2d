import { z } from 'zod';

/** A string field of an input schema, in the items of each list and map around it. */
export interface TextField {
  readonly path: string;
  /** Most characters. */
  readonly most: number;
  /** An example in the documentation, if any. */
  readonly example: string | undefined;
  /** The checks of the field. Fields of several operations share them. */
  readonly checks: readonly object[];
  /** Makes a value of the whole schema with only this field, in at most `room` items; `text` gives that of an item. */
  readonly place: Place;
}

type Place = (text: (item: number) => string, room: number) => unknown;

/** The string fields of a schema, names of maps included. */
export function textFields(schema: z.core.$ZodType, path = ''): readonly TextField[] {
  if (schema instanceof z.ZodString) return [textField(schema, path)];
  if (schema instanceof z.ZodObject) {
    return Object.entries<z.core.$ZodType>(schema.shape).flatMap(([name, member]) =>
      within(textFields(member, `${path}/${name}`), (place) => (text, room) => ({ [name]: place(text, room) })),
    );
  }
  if (schema instanceof z.ZodArray) {
    const most = z.core.util.sizeCaps(schema.def.checks)[0]?.[0] ?? 1;
    return within(textFields(schema.def.element, `${path}/0`), itemsOf(most));
  }
  if (schema instanceof z.ZodRecord) {
    const names = within(textFields(schema.def.keyType, `${path}/~name`), (place) => (text, room) => {
      const made = itemsOf(MAP_ENTRIES)(place)(text, room) as string[];
      return Object.fromEntries(made.map((name) => [name, 'value']));
    });
    const values = within(textFields(schema.def.valueType, `${path}/~value`), (place) => (text, room) => {
      const made = itemsOf(MAP_ENTRIES)(place)(text, room);
      return Object.fromEntries(made.map((value, item) => [`name-${item}`, value]));
    });
    return [...names, ...values];
  }
  if (schema instanceof z.ZodUnion) return schema.def.options.flatMap((option) => textFields(option, path));
  if (schema instanceof z.ZodPipe) {
    return textFields(schema.def.in instanceof z.ZodTransform ? schema.def.out : schema.def.in, path);
  }
  return 'innerType' in schema._zod.def ? textFields(schema._zod.def.innerType as z.core.$ZodType, path) : [];
}

/** Entries of a map. */
const MAP_ENTRIES = 50;

function textField(schema: z.ZodString, path: string): TextField {
  const { maxLength, examples, example } = { ...schema.meta() } as Record<string, unknown>;
  const [first] = Array.isArray(examples) ? examples : [example];
  return {
    path,
    most: schema.maxLength ?? Number(maxLength),
    example: typeof first === 'string' ? first : undefined,
    checks: schema.def.checks ?? [],
    place: (text) => text(0),
  };
}

/** As many items as there is room for, at most `most`. */
function itemsOf(most: number) {
  return (place: Place) =>
    (text: (item: number) => string, room: number): unknown[] => {
      const count = Math.max(1, Math.min(most, room));
      return Array.from({ length: count }, (_, item) => place((inner) => text(item + inner), room / count));
    };
}

function within(fields: readonly TextField[], wrap: (place: Place) => Place): readonly TextField[] {
  return fields.map((field) => ({ ...field, place: wrap(field.place) }));
}
