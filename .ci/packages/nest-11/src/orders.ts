import { Injectable, Module } from '@nestjs/common';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Audited, WaybillOutboxModule } from '@waybill/outbox/nestjs';
import { transactions } from '@waybill/outbox/typeorm';
import { Column, DataSource, Entity, PrimaryGeneratedColumn, Repository } from 'typeorm';

@Entity('nest_11_orders')
export class Order {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column()
  title!: string;

  @Column({ default: 7 })
  price!: number;
}

const orders = { table: 'nest_11_orders', type: 'nest_11_order' };

@Injectable()
export class OrdersService {
  constructor(@InjectRepository(Order) private readonly repository: Repository<Order>) {}

  @Audited(orders, { createdId: (order: { id: number }) => order.id })
  create(title: string): Promise<{ id: number }> {
    return this.repository.save({ title });
  }

  @Audited(orders, { id: (id: number) => id })
  async rename(id: number, title: string): Promise<void> {
    await this.repository.save({ id, title });
  }
}

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env['DATABASE_URL'] ?? '',
      entities: [Order],
      synchronize: true,
    }),
    TypeOrmModule.forFeature([Order]),
    WaybillOutboxModule.forRootAsync({
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => ({ transactions: transactions(dataSource) }),
    }),
  ],
  providers: [OrdersService],
})
export class OrdersModule {}
