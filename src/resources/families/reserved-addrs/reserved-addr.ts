import { z } from 'zod';
import { boundedString } from '../../../bounds/bounded.js';
import { describableInput } from '../../../http/input/text.js';
import { kinds } from '../../building-blocks/kinds.js';
import { region, regionInput } from '../../building-blocks/names/region.js';
import { defineResource } from '../../framework/definition/definition.js';
import { commonFields, ref } from '../../framework/definition/fields.js';

const REGION_TEXT = 'Region of the address. Cannot be changed.';

/** TCP addresses, each of which belongs to one account. */
export const reservedAddr = defineResource({
  ...kinds.reservedAddr,
  title: { one: 'reserved address', many: 'reserved addresses' },
  summary:
    'A host and port for TCP traffic, assigned at creation. An address is never assigned again, even after its deletion.',
  create: z.strictObject({
    ...describableInput,
    region: regionInput('us').meta({ description: `${REGION_TEXT} Null and an empty string mean the default, us.` }),
  }),
  update: z.strictObject({
    ...describableInput,
    endpoint_configuration_id: boundedString(255)
      .nullish()
      .meta({ description: 'Id of the endpoint configuration of the address.' }),
  }),
  read: z.object({
    ...commonFields,
    addr: z.string().meta({ description: 'Host name and port.', example: '3.us.tcp.waybill.internal:21044' }),
    region: region.meta({ description: REGION_TEXT }),
    endpoint_configuration: ref.nullable().meta({ description: 'Endpoint configuration of the address.' }),
  }),
  links: [
    {
      field: 'endpoint_configuration_id',
      as: 'endpoint_configuration',
      to: [kinds.endpointConfiguration],
    },
  ],
});
