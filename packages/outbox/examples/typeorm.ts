import 'reflect-metadata';
import { Column, DataSource, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity({ name: 'orders' })
class Order {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @Column({ type: 'integer' })
  total!: number;
}

/** What the example for TypeORM uses. */
export interface Context {
  readonly dataSource: DataSource;
  readonly Order: typeof Order;
}

/** Connects to the database. */
export async function open(url: string): Promise<{ context: Context; close: () => Promise<void> }> {
  const dataSource = await new DataSource({ type: 'postgres', url, entities: [Order] }).initialize();
  return { context: { dataSource, Order }, close: () => dataSource.destroy() };
}
