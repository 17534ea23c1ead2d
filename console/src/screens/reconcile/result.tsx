import { passes, proofReport, report } from '@waybill/reconcile';
import { useMemo } from 'react';
import { nameOrId } from '../../api/resource-label.js';
import { Button } from '../../components/button.js';
import { bytesText } from '../../components/bytes.js';
import { Fact, Facts } from '../../components/facts.js';
import { Icon } from '../../components/icon.js';
import { Time } from '../../components/time.js';
import { downloadReport, type Comparison } from './report-files.js';
import { VerdictTable } from './verdict-table.js';
import { verdictRows } from './verdicts.js';
import ui from '../../components/ui.module.css';
import styles from './reconcile.module.css';

/** Most contradictions that are shown: the report has all of them. */
const MOST_SHOWN = 20;

/** The verdict of a comparison: one sentence, then number by number. */
export function Result({ comparison }: { readonly comparison: Comparison }) {
  const { found, evidence } = comparison;
  const { destination, files, compared_at: comparedAt, exported_at: exportedAt } = evidence;
  const rows = useMemo(() => verdictRows(found), [found]);
  const sentences = useMemo(() => report(found).split('\n'), [found]);
  const { contradictions, undone } = found;
  const isGood = passes(found, true);
  const tone = isGood ? 'good' : passes(found, false) ? 'warn' : 'bad';
  return (
    <section className={ui.parts} aria-label="Verdict">
      <div className={`${ui.toned} ${styles.verdict}`} role="status" data-tone={tone}>
        <Icon name={isGood ? 'healthy' : 'misconfigured'} />
        <h2>{sentences.at(-1)}</h2>
      </div>
      <Facts wide>
        <Fact name="Destination">{nameOrId(destination.description, destination.id)}</Fact>
        <Fact name={files.length === 1 ? 'File' : 'Files'}>
          {files.map(({ name, bytes }) => `${name} (${bytesText(bytes)})`).join(', ')}
        </Fact>
        <Fact name="Compared">
          <Time at={comparedAt} show="absolute" />
        </Fact>
        <Fact name="The target was read">
          <Time at={exportedAt} show="absolute" />
        </Fact>
      </Facts>
      {sentences.slice(0, found.of_waybill > 0 ? 4 : 3).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {undone.length > 0 && (
        <p className={ui.bad}>
          {undone.length.toLocaleString('en')}{' '}
          {undone.length === 1 ? 'sequence belongs to an undone event' : 'sequences belong to undone events'}: delivered
          before the database was restored, and unknown to Waybill now. The report lists them.
        </p>
      )}
      {contradictions.length > 0 && (
        <p className={ui.bad}>
          The file contradicts Waybill's record: both cannot be right. It may be the file of another destination.
        </p>
      )}
      {contradictions.length > 0 && (
        <ul className={ui.bad} aria-label="Contradictions">
          {contradictions.slice(0, MOST_SHOWN).map((contradiction) => (
            <li key={contradiction}>{contradiction}</li>
          ))}
          {contradictions.length > MOST_SHOWN && (
            <li>And {(contradictions.length - MOST_SHOWN).toLocaleString('en')} more, all of them in the report.</li>
          )}
        </ul>
      )}
      {found.proof !== undefined && (
        <section className={ui.stack} aria-label="Signed log">
          {proofReport(found, false).map((line) => (
            <p key={line} className={found.proof?.verified === true ? ui.note : ui.bad}>
              {line}
            </p>
          ))}
        </section>
      )}
      <div className={ui.line}>
        <Button icon="exports" onPress={() => downloadReport(comparison, 'json')}>
          Download the report as JSON
        </Button>
        <Button icon="exports" onPress={() => downloadReport(comparison, 'text')}>
          Download the report as text
        </Button>
      </div>
      {/* Lines of Waybill's own export show no arrival. */}
      {found.of_waybill === 0 && <VerdictTable rows={rows} />}
    </section>
  );
}
