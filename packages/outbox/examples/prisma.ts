import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './prisma/generated/client.js';

/** What the example for Prisma uses. */
export interface Context {
  readonly prisma: PrismaClient;
}

/** Connects to the database. */
export async function open(url: string): Promise<{ context: Context; close: () => Promise<void> }> {
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) });
  return { context: { prisma }, close: () => prisma.$disconnect() };
}
