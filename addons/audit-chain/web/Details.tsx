import type { AuditRow } from '../contract/audit.ts'
import { auditResult, auditText } from '@trainyard/platform/contract/audit.ts'
import { auditLabels } from 'virtual:audit-labels'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import styles from './Audit.module.css'
import { fieldsOf } from './fields.ts'

export function Details({ row, close }: { row: AuditRow; close: () => void }) {
  const changes = fieldsOf(row.before, row.after)
  const { at, call, person, role, organization, address, refused, detail, position } = row
  return (
    <Dialog title="Audit row" wide close={close}>
      <dl className={styles.facts}>
        <Fact term="Time">
          <Instant at={at} />
        </Fact>
        <Fact term="Person">
          {person ?? 'Automatic'}
          {role !== null && ` (${role})`}
        </Fact>
        <Fact term="Action">
          {auditText(call, auditLabels[call])} <code>{call}</code>
        </Fact>
        <Fact term="Result">{auditResult(refused)}</Fact>
        <Fact term="Organisation">{organization ?? 'None'}</Fact>
        <Fact term="Address">{address ?? 'None'}</Fact>
        <Fact term="Seal">{position === null ? 'Not sealed yet' : `Position ${position}`}</Fact>
      </dl>
      {changes.length > 0 && (
        <table className={styles.change}>
          <caption>What changed</caption>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ name, was, is }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{was}</td>
                <td>{is}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h3>Request</h3>
      {detail === null ? (
        <p className="dim">Only superadmins can see refused requests.</p>
      ) : (
        // Long content scrolls, so the keyboard must be able to focus it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <pre className={styles.asked} tabIndex={0} aria-label="Request">
          {JSON.stringify(detail, null, 2)}
        </pre>
      )}
    </Dialog>
  )
}

const Fact = ({ term, children }: { term: string; children: React.ReactNode }) => (
  <div>
    <dt className="over">{term}</dt>
    <dd>{children}</dd>
  </div>
)
