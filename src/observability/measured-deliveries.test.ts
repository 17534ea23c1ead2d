import { expect, it } from 'vitest';
import { repairs, unevaluatedReasons } from '../delivery/delivery-observer.js';
import { targetKinds } from '../targets/target.js';
import { createInstruments } from './instruments.js';
import { measuredDeliveries } from './measured-deliveries.js';

it('shows losses and repairs as 0 before the first one, so that alerts see the first one', async () => {
  const instruments = createInstruments();
  measuredDeliveries(instruments);
  const text = await instruments.registry.metrics();
  for (const target of targetKinds)
    for (const outcome of ['rejected', 'expired'])
      expect(text).toContain(`waybill_deliveries_total{target="${target}",outcome="${outcome}"} 0\n`);
  for (const reason of unevaluatedReasons)
    expect(text).toContain(`waybill_unevaluated_filters_total{result="sent",reason="${reason}"} 0\n`);
  for (const repair of repairs) expect(text).toContain(`waybill_sweep_repairs_total{repair="${repair}"} 0\n`);
});
