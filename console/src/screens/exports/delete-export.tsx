import { useQueryClient } from '@tanstack/react-query';
import type { Export } from '@waybill/client';
import { useState } from 'react';
import { EXPORTS_KEY, isUnderWay } from '../../api/exports.js';
import { request } from '../../api/request.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';

/** The button that deletes an export, with its question. */
export function DeleteExport({ one }: { readonly one: Export }) {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { id } = one;
  return (
    <>
      <Button aria-label={`Delete the export ${id}`} onPress={() => setAsking(true)}>
        Delete
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Delete the export"
        confirmLabel="Delete"
        danger
        onConfirm={async () => {
          await request('DELETE', '/exports/{id}', { path: { id } });
          await client.invalidateQueries({ queryKey: [EXPORTS_KEY, 'list'] });
        }}
      >
        <p>
          The export <code>{id}</code> and its file
          {one.manifest && (
            <>
              {' '}
              <code>{one.manifest.file.name}</code>
            </>
          )}{' '}
          are removed{isUnderWay(one) && ', and the writing of it ends'}. The events stay.
        </p>
      </ConfirmDialog>
    </>
  );
}
