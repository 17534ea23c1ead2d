# frozen_string_literal: true

# An orders API on Rails. A trigger records the changes of orders; `record` records those of payments.
ENV['RAILS_ENV'] ||= 'production'
require 'logger'
require 'action_controller/railtie'
require 'active_record/railtie'
require 'puma'

class Shop < Rails::Application
  config.root = __dir__
  config.eager_load = false
  config.secret_key_base = 'Rails wants one, and this API has no session.'
  config.logger = Logger.new($stderr)
  routes.append { resources :orders, :payments, only: %i[create update destroy] }
end

class Order < ActiveRecord::Base
end

class Payment < ActiveRecord::Base
  belongs_to :order
end

# Opens the transaction of a request, and says in it who makes the changes.
class ApplicationController < ActionController::API
  around_action :transaction

  private

  def transaction
    principal = { id: request.headers['X-User-Id'] || 'anonymous' } # Your authentication knows.
    origin = { id: request.headers['X-Request-Id'], ip: request.remote_ip }
    # An action that throws is rolled back. The response is sent after the commit.
    ActiveRecord::Base.transaction do
      execute("select set_config('waybill.principal', ?, true), set_config('waybill.request', ?, true)",
              principal.to_json, origin.to_json)
      yield
    end
  end

  # Not `select_value` or `find_by_sql`: the query cache of Rails would not run the same statement a second time.
  def execute(statement, *values)
    ActiveRecord::Base.connection.execute(ActiveRecord::Base.sanitize_sql([statement, *values]))
  end

  # Records an event with the row as it is in the database: after save!, or before destroy!.
  def record(event_type, payment)
    execute(<<~SQL, event_type, payment.id)
      select waybill_outbox.waybill_record(jsonb_build_object(
        'type', cast(? as text), 'resource_id', cast(p.id as text), 'object', to_jsonb(p)))
      from payments p where id = ?
    SQL
  end
end

class OrdersController < ApplicationController
  def create
    render json: Order.create!(total: params[:total]), status: :created
  end

  def update
    render json: Order.lock.find(params[:id]).tap { |order| order.update!(status: params[:status]) }
  end

  def destroy
    render json: Order.find(params[:id]).destroy!
  end
end

class PaymentsController < ApplicationController
  def create
    payment = Payment.create!(order_id: params[:order_id], amount: params[:amount])
    record('payment_created.v0', payment)
    raise 'Too much: neither the payment nor its event is kept.' if payment.amount > payment.order.total

    render json: payment, status: :created
  end

  def destroy
    payment = Payment.lock.find(params[:id])
    record('payment_deleted.v0', payment)
    render json: payment.destroy!
  end
end

Shop.initialize!
if ARGV.shift == 'migrate' # In a project, a migration does it: execute File.read('outbox.sql')
  ARGV.each { |file| ActiveRecord::Base.connection.execute(File.read(file)) }
else
  server = Puma::Server.new(Shop)
  server.add_tcp_listener('127.0.0.1', ENV.fetch('PORT', '4801').to_i)
  server.run.join
end
