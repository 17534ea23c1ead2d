"""An orders API on Django. A trigger records the changes of orders; `record` records those of payments."""

import json
import os
import sys
from urllib.parse import urlsplit

import django
from django.conf import settings
from django.core.management import execute_from_command_line
from django.db import connection, models, transaction
from django.http import JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import path

url = urlsplit(os.environ['DATABASE_URL'])
database = {'ENGINE': 'django.db.backends.postgresql', 'NAME': url.path[1:], 'HOST': url.hostname, 'PORT': url.port}
database |= {'USER': url.username, 'PASSWORD': url.password}
settings.configure(
    ALLOWED_HOSTS=['*'],
    SECRET_KEY='Django wants one, and this API has no session.',
    ROOT_URLCONF=__name__,
    MIDDLEWARE=[f'{__name__}.audit_context'],
    # Rolls back a view that raises. The transaction of the middleware would commit: it sees a response.
    DATABASES={'default': database | {'ATOMIC_REQUESTS': True}},
)
django.setup()


def audit_context(get_response):
    """Middleware that opens the transaction of a request, and says in it who makes the changes."""

    def middleware(request):
        principal = {'id': request.headers.get('X-User-Id', 'anonymous')}  # Your authentication knows.
        origin = {'id': request.headers.get('X-Request-Id'), 'ip': request.META['REMOTE_ADDR']}
        context = "select set_config('waybill.principal', %s, true), set_config('waybill.request', %s, true)"
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(context, [json.dumps(principal), json.dumps(origin)])
            return get_response(request)

    return middleware


class Order(models.Model):
    status = models.TextField(default='open')
    total = models.IntegerField()

    class Meta:
        app_label, db_table = 'shop', 'orders'


class Payment(models.Model):
    order = models.ForeignKey(Order, models.PROTECT)
    amount = models.IntegerField()

    class Meta:
        app_label, db_table = 'shop', 'payments'


def record(event_type, payment):
    """Records an event with the row as it is in the database: after save(), or before delete()."""
    statement = """select waybill_outbox.waybill_record(jsonb_build_object('type', %s::text,
        'resource_id', p.id::text, 'object', to_jsonb(p))) from payments p where id = %s"""
    with connection.cursor() as cursor:
        cursor.execute(statement, [event_type, payment.id])


def orders(request, order_id=None):
    if request.method == 'POST':
        return JsonResponse({'id': Order.objects.create(total=json.loads(request.body)['total']).id}, status=201)
    order = get_object_or_404(Order.objects.select_for_update(), id=order_id)
    if request.method == 'DELETE':
        order.delete()
    else:
        order.status = json.loads(request.body)['status']
        order.save()
    return JsonResponse({})


def payments(request, payment_id=None):
    if request.method == 'POST':
        payment = Payment.objects.create(**json.loads(request.body))
        record('payment_created.v0', payment)
        if payment.amount > payment.order.total:
            raise ValueError('Too much: neither the payment nor its event is kept.')
        return JsonResponse({'id': payment.id}, status=201)
    payment = get_object_or_404(Payment.objects.select_for_update(), id=payment_id)
    record('payment_deleted.v0', payment)
    payment.delete()
    return JsonResponse({})


urlpatterns = [path('orders', orders), path('orders/<int:order_id>', orders)]
urlpatterns += [path('payments', payments), path('payments/<int:payment_id>', payments)]

if sys.argv[1:2] == ['migrate']:  # In a project: migrations.RunSQL(Path('outbox.sql').read_text())
    with connection.cursor() as cursor:
        cursor.execute(''.join(open(file).read() for file in sys.argv[2:]))
elif __name__ == '__main__':
    execute_from_command_line(['app.py', 'runserver', '--noreload', os.environ.get('PORT', '4801')])
