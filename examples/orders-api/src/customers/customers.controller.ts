import { Body, Controller, Delete, Get, HttpCode, Inject, Param, ParseUUIDPipe, Patch, Post } from '@nestjs/common';
import { customerUpdate, newCustomer, type Customer, type CustomerUpdate, type NewCustomer } from './customer.js';
import { CustomersService } from './customers.service.js';

@Controller('/customers')
export class CustomersController {
  constructor(@Inject(CustomersService) private readonly customers: CustomersService) {}

  @Post()
  create(@Body({ schema: newCustomer }) body: NewCustomer): Promise<Customer> {
    return this.customers.create(body);
  }

  @Get(':id')
  get(@Param('id', ParseUUIDPipe) id: string): Promise<Customer> {
    return this.customers.get(id);
  }

  @Patch(':id')
  update(
    @Param('id', ParseUUIDPipe) id: string,
    @Body({ schema: customerUpdate }) body: CustomerUpdate,
  ): Promise<Customer> {
    return this.customers.update(id, body);
  }

  @Delete(':id')
  @HttpCode(204)
  async delete(@Param('id', ParseUUIDPipe) id: string): Promise<void> {
    await this.customers.delete(id);
  }
}
