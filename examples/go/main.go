// An orders API on net/http and pgx. A trigger records changes of orders; `record` records those of payments.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const setContext = "select set_config('waybill.principal', $1, true), set_config('waybill.request', $2, true)"

// record follows `with changed as (…)`: one statement makes the change, and records the row as it is in the database.
const record = ` select id, waybill_outbox.waybill_record(jsonb_build_object(
  'type', $1::text, 'resource_id', id::text, 'object', to_jsonb(changed))) from changed`

type input struct {
	Status  string `json:"status"`
	Total   int    `json:"total"`
	OrderID int64  `json:"order_id"`
	Amount  int    `json:"amount"`
}
type work func(ctx context.Context, tx pgx.Tx, body input, id string) (int64, error)

var pool *pgxpool.Pool

// handle runs the work of a request in a transaction that knows who makes the changes. It responds after the commit.
func handle(pattern string, status int, work work) {
	http.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		var body input
		var id int64
		json.NewDecoder(r.Body).Decode(&body)
		ip, _, _ := net.SplitHostPort(r.RemoteAddr)
		user := cmp.Or(r.Header.Get("X-User-Id"), "anonymous") // Your authentication knows.
		principal, _ := json.Marshal(map[string]string{"id": user})
		origin, _ := json.Marshal(map[string]string{"id": r.Header.Get("X-Request-Id"), "ip": ip})
		err := pgx.BeginFunc(r.Context(), pool, func(tx pgx.Tx) (err error) {
			if _, err = tx.Exec(r.Context(), setContext, string(principal), string(origin)); err == nil {
				id, err = work(r.Context(), tx, body, r.PathValue("id"))
			}
			return err
		})
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"id": %d}`, id)
	})
}

// one returns the id of the row that the statement changed, or an error if there is none.
func one(ctx context.Context, tx pgx.Tx, sql string, values ...any) (id int64, err error) {
	err = tx.QueryRow(ctx, sql, values...).Scan(&id, nil)
	return id, err
}

func main() {
	ctx := context.Background()
	var err error
	if pool, err = pgxpool.New(ctx, os.Getenv("DATABASE_URL")); err != nil {
		log.Fatal(err)
	}
	if len(os.Args) > 1 && os.Args[1] == "migrate" {
		for _, file := range os.Args[2:] {
			sql, _ := os.ReadFile(file)
			if _, err := pool.Exec(ctx, string(sql)); err != nil { // Without parameters: the file has several statements.
				log.Fatal(err)
			}
		}
		return
	}
	handle("POST /orders", 201, func(ctx context.Context, tx pgx.Tx, body input, _ string) (int64, error) {
		return one(ctx, tx, "insert into orders (total) values ($1) returning id, null", body.Total)
	})
	handle("PATCH /orders/{id}", 200, func(ctx context.Context, tx pgx.Tx, body input, id string) (int64, error) {
		return one(ctx, tx, "update orders set status = $2 where id = $1 returning id, null", id, body.Status)
	})
	handle("DELETE /orders/{id}", 200, func(ctx context.Context, tx pgx.Tx, _ input, id string) (int64, error) {
		return one(ctx, tx, "delete from orders where id = $1 returning id, null", id)
	})
	handle("POST /payments", 201, func(ctx context.Context, tx pgx.Tx, body input, _ string) (int64, error) {
		insert := "with changed as (insert into payments (order_id, amount) values ($2, $3) returning *)" + record
		id, err := one(ctx, tx, insert, "payment_created.v0", body.OrderID, body.Amount)
		if err == nil && body.Amount > 100 {
			err = fmt.Errorf("too much: neither the payment nor its event is kept")
		}
		return id, err
	})
	handle("DELETE /payments/{id}", 200, func(ctx context.Context, tx pgx.Tx, _ input, id string) (int64, error) {
		remove := "with changed as (delete from payments where id = $2 returning *)" + record
		return one(ctx, tx, remove, "payment_deleted.v0", id)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
