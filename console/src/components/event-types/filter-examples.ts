/** A question about an event, and the conditions that ask it. */
export interface FilterExample {
  readonly question: string;
  readonly filters: readonly string[];
}

/** The questions of docs/filters.md, in their order. */
export const filterExamples: readonly FilterExample[] = [
  { question: 'Is a member this value?', filters: ['object.action == "deny"'] },
  { question: 'Is it one of these?', filters: ['object.state in ["open", "paid"]'] },
  { question: 'Is it this resource?', filters: ['resource_id == "order-1042"'] },
  { question: 'Did an update change this member?', filters: ['changes != null && has(changes.after.cidr)'] },
  { question: 'Was it this before?', filters: ['has(changes.before.action) && changes.before.action == "allow"'] },
  { question: 'Who made the change?', filters: ['principal.subject != "system:snapshot"'] },
  { question: 'Does a text begin like this?', filters: ['object.cidr.startsWith("10.")'] },
  { question: 'Does it match a pattern?', filters: ['object.hostname.matches("^[a-z]+[.]example[.]com$")'] },
  { question: 'Does a list have such an item?', filters: ['object.lines.exists(line, line.sku == "a-1")'] },
  { question: 'Is a member null, or absent?', filters: ['object.note == null', '!has(object.note)'] },
  { question: 'When was it?', filters: ['timestamp(event_timestamp).getHours() < 6'] },
  { question: 'Is it not known who made it?', filters: ['principal.id == "unknown"'] },
  { question: 'Was it repaired, and by whom?', filters: ['has(repaired.by) && repaired.by == "Ada"'] },
  { question: 'Which key published it?', filters: ['has(principal.via) && principal.via.id == "ak_1"'] },
];
