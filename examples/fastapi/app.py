"""An orders API on FastAPI and SQLAlchemy. A trigger records changes of orders; `record` records those of payments."""

import json
import os
import sys
from contextlib import contextmanager

import uvicorn
from fastapi import Body, FastAPI, Request
from sqlalchemy import BigInteger, Column, ForeignKey, Integer, Text, create_engine, event, text
from sqlalchemy.orm import Session, declarative_base

engine = create_engine(os.environ['DATABASE_URL'].replace('postgres://', 'postgresql://', 1), future=True)
Base = declarative_base()
app = FastAPI()


class Order(Base):
    __tablename__ = 'orders'
    id = Column(BigInteger, primary_key=True)
    status = Column(Text, default='open')
    total = Column(Integer)


class Payment(Base):
    __tablename__ = 'payments'
    id = Column(BigInteger, primary_key=True)
    order_id = Column(BigInteger, ForeignKey('orders.id'))
    amount = Column(Integer)


@contextmanager
def transaction(request):
    """Ends before the response is sent. The exit of a dependency with `yield` runs after it in most releases."""
    principal = {'id': request.headers.get('x-user-id', 'anonymous')}  # Your authentication knows.
    origin = {'id': request.headers.get('x-request-id'), 'ip': request.client.host}
    with Session(engine, future=True) as session, session.begin():
        session.info['audit'] = {'principal': json.dumps(principal), 'request': json.dumps(origin)}
        yield session


@event.listens_for(Session, 'after_begin')
def set_context(session, _, connection):
    """Says in every transaction of a session who makes the changes: also in the next one after a commit."""
    context = "select set_config('waybill.principal', :principal, true), set_config('waybill.request', :request, true)"
    if 'audit' in session.info:
        connection.execute(text(context), session.info['audit'])


def record(session, event_type, payment):
    """Records an event with the row as it is in the database: after a change, or before session.delete()."""
    session.flush()  # Until then, the change is only in memory.
    statement = """select waybill_outbox.waybill_record(jsonb_build_object('type', cast(:type as text),
        'resource_id', cast(p.id as text), 'object', to_jsonb(p))) from payments p where id = :id"""
    session.execute(text(statement), {'type': event_type, 'id': payment.id}).one()


@app.post('/orders', status_code=201)
def create_order(request: Request, total: int = Body(embed=True)):
    with transaction(request) as session:
        session.add(order := Order(total=total))
        session.flush()
        return {'id': order.id}


@app.patch('/orders/{order_id}')
def update_order(request: Request, order_id: int, status: str = Body(embed=True)):
    with transaction(request) as session:
        session.get(Order, order_id, with_for_update=True).status = status


@app.delete('/orders/{order_id}')
def delete_order(request: Request, order_id: int):
    with transaction(request) as session:
        session.delete(session.get(Order, order_id))


@app.post('/payments', status_code=201)
def create_payment(request: Request, order_id: int = Body(), amount: int = Body()):
    with transaction(request) as session:
        session.add(payment := Payment(order_id=order_id, amount=amount))
        record(session, 'payment_created.v0', payment)
        if amount > session.get(Order, order_id).total:
            raise ValueError('Too much: neither the payment nor its event is kept.')
        return {'id': payment.id}


@app.delete('/payments/{payment_id}')
def delete_payment(request: Request, payment_id: int):
    with transaction(request) as session:
        payment = session.get(Payment, payment_id, with_for_update=True)
        record(session, 'payment_deleted.v0', payment)
        session.delete(payment)


if sys.argv[1:2] == ['migrate']:  # With Alembic: op.get_bind().connection.cursor().execute(open('outbox.sql').read())
    with engine.begin() as connection:
        connection.connection.cursor().execute(''.join(open(file).read() for file in sys.argv[2:]))
elif __name__ == '__main__':
    uvicorn.run(app, port=int(os.environ.get('PORT', '4801')))
