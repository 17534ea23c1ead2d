import 'reflect-metadata';
import type { EventPrincipal, RecordedTable } from '@waybill/outbox';
import { Column, DataSource, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** An entity of the examples. */
@Entity({ name: 'orders' })
export class Order {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @Column({ type: 'text' })
  title!: string;

  @Column({ type: 'integer', nullable: true })
  price!: number | null;
}

/** What the example for TypeORM uses. */
export interface Context {
  readonly dataSource: DataSource;
  readonly Order: typeof Order;
  readonly orders: RecordedTable;
  readonly user: EventPrincipal;
  readonly id: number;
  readonly title: string;
}

/** Connects to the database. */
export async function open(
  url: string,
): Promise<{ context: Pick<Context, 'dataSource' | 'Order'>; close: () => Promise<void> }> {
  const dataSource = await new DataSource({ type: 'postgres', url, entities: [Order] }).initialize();
  return { context: { dataSource, Order }, close: () => dataSource.destroy() };
}
