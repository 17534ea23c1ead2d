import { Body, Controller, Delete, Get, HttpCode, Inject, Param, ParseUUIDPipe, Patch, Post } from '@nestjs/common';
import { FromCaller, type Caller } from '../http/caller.js';
import { customerUpdate, newCustomer, type Customer, type CustomerUpdate, type NewCustomer } from './customer.js';
import { CustomersService } from './customers.service.js';

@Controller('/customers')
export class CustomersController {
  constructor(@Inject(CustomersService) private readonly customers: CustomersService) {}

  @Post()
  create(@FromCaller() caller: Caller, @Body({ schema: newCustomer }) body: NewCustomer): Promise<Customer> {
    return this.customers.create(caller, body);
  }

  @Get(':id')
  get(@Param('id', ParseUUIDPipe) id: string): Promise<Customer> {
    return this.customers.get(id);
  }

  @Patch(':id')
  update(
    @FromCaller() caller: Caller,
    @Param('id', ParseUUIDPipe) id: string,
    @Body({ schema: customerUpdate }) body: CustomerUpdate,
  ): Promise<Customer> {
    return this.customers.update(caller, id, body);
  }

  @Delete(':id')
  @HttpCode(204)
  delete(@FromCaller() caller: Caller, @Param('id', ParseUUIDPipe) id: string): Promise<void> {
    return this.customers.delete(caller, id);
  }
}
