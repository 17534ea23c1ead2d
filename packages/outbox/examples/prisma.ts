import { PrismaPg } from '@prisma/adapter-pg';
import type { EventPrincipal, RecordedTable } from '@waybill/outbox';
import { PrismaClient } from './prisma/generated/client.js';

/** What the example for Prisma uses. */
export interface Context {
  readonly prisma: PrismaClient;
  readonly orders: RecordedTable;
  readonly user: EventPrincipal;
  readonly id: number;
  readonly title: string;
}

/** Connects to the database. */
export async function open(url: string): Promise<{ context: Pick<Context, 'prisma'>; close: () => Promise<void> }> {
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) });
  return { context: { prisma }, close: () => prisma.$disconnect() };
}
