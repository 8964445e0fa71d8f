import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Proofs, ProofView } from '../contract/proof.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { CloseButton, Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { Lamp } from '@trainyard/platform/web/ui/Lamp.tsx'
import { Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { formatDay, today } from '@trainyard/platform/web/ui/time.ts'
import { PROOF_TRAINING } from '../contract/proof-words.ts'
import { ScriptOutput } from './ScriptOutput.tsx'
import styles from './Library.module.css'
import { type LibraryRow, nameOf } from './library-rows.tsx'
import { FAULT_WORDS, listOf, proofText, PROVING_MS } from './proof-text.ts'

interface OfRow {
  row: LibraryRow
  whose: { readonly organization?: string }
  close: () => void
}

const proofsQuery = ({ row, whose }: Pick<OfRow, 'row' | 'whose'>) =>
  query(api.proof.list, { ...whose, guide: row.guide })

/** Asks for the template, and says what the proof costs at most. */
export function Prove({ row, whose, close }: OfRow) {
  const proofs = useQuery(proofsQuery({ row, whose }))
  const [template, setTemplate] = useState<string | null>(null)
  const templates = proofs.data?.templates ?? []
  const names = templates.map(({ templateName }) => templateName)
  // The template of the last proof or of a training, if the organisation still has it.
  const likely = [row.proof?.templateName, ...row.uses.map(({ templateName }) => templateName)]
  const chosen = template ?? likely.find((name) => name != null && names.includes(name)) ?? names[0] ?? ''
  const proving = useAction(
    () => api.proof.start({ ...whose, guide: row.guide, number: row.number, templateName: chosen }),
    {
      invalidates: ['guide', 'proof'],
      onDone: close,
    },
  )
  const price = templates.find(({ templateName }) => templateName === chosen)
  const last = proofs.data?.proofs.find((proof) => proof.templateName === chosen && proof.costPaise !== null)
  return (
    <FormDialog
      title={`Prove ${nameOf(row)}`}
      submit="Prove"
      busy={proofs.isPending ? 'Loading...' : proving.isPending && 'Starting...'}
      close={close}
      onSubmit={() => chosen !== '' && proving.mutate()}
    >
      <Fetched query={proofs} loading={<Skeleton rows={3} height="1.5rem" />}>
        {() =>
          names.length === 0 ? (
            <p>The organisation has no template for Linux, on which a guide could be proven.</p>
          ) : (
            <>
              <p>A new machine runs all setups, checks and solutions. It is then deleted.</p>
              <NativeSelect label="Template" data={names} {...controlledText(chosen, setTemplate)} />
              {price && (
                <p>
                  At most {price.minutesMax} minutes × <Rupees paise={price.paisePerHour} /> an hour:{' '}
                  <strong>
                    <Rupees paise={price.paiseMax} /> at most
                  </strong>
                  , billed as {PROOF_TRAINING}.
                  {last?.seconds != null && (
                    <>
                      {' '}
                      The last proof on it took {durationOf(last.seconds)} and cost <Rupees paise={last.costPaise!} />.
                    </>
                  )}
                </p>
              )}
            </>
          )
        }
      </Fetched>
    </FormDialog>
  )
}

const durationOf = (seconds: number): string => (seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`)

/** The proofs of a version, the latest first, with their faults. */
export function ProofsOfVersion({ row, whose, close, prove }: OfRow & { prove: () => void }) {
  const proofs = useQuery({
    ...proofsQuery({ row, whose }),
    refetchInterval: ({ state }) => state.data?.proofs.some(({ phase }) => phase !== 'ended') && PROVING_MS,
  })
  const own = proofs.data?.proofs.filter(({ number }) => number === row.number) ?? []
  return (
    <Dialog
      title={`Proofs of ${nameOf(row)}`}
      wide
      close={close}
      foot={
        <>
          <CloseButton close={close} />
          {proofs.data && own[0]?.state !== 'running' && row.state !== 'retired' && (
            <Button onClick={prove}>{own.length === 0 ? 'Prove' : 'Prove again'}</Button>
          )}
        </>
      }
    >
      <Fetched query={proofs} loading={<Skeleton rows={6} height="1.5rem" />}>
        {() =>
          own.length === 0 ? (
            <p>This version was not proven yet.</p>
          ) : (
            own.map((proof, index) => <OneProof key={proof.id} proof={proof} row={row} isOpen={index === 0} />)
          )
        }
      </Fetched>
    </Dialog>
  )
}

function OneProof({ proof, row, isOpen }: { proof: ProofView; row: LibraryRow; isOpen: boolean }) {
  const { timeZone } = useMe()
  const { state, templateName, image, seconds, costPaise, reason, faults, askedBy } = proof
  const place = {
    ...proof,
    at: proof.endedAt ?? proof.askedAt,
    step: row.content.findIndex(({ step }) => step === proof.step) + 1,
    faults: faults.length,
  }
  const { signal, label } = proofText(place, row.steps, timeZone)
  return (
    <section className={styles.step} aria-label={`${label}, ${templateName}`}>
      <div className={styles.proof}>
        <Lamp signal={signal}>{label}</Lamp>
        <Instant at={place.at} />
      </div>
      <p className="dim">
        {[
          ...(state === 'proven' ? [] : [templateName]),
          image,
          askedBy ?? 'before a class',
          ...(seconds === null ? [] : [durationOf(seconds)]),
          ...(state === 'proven' && proof.isStale ? ['the template has changed since'] : []),
        ].join(', ')}
        {costPaise !== null && (
          <>
            , <Rupees paise={costPaise} />
          </>
        )}
      </p>
      {reason !== null && <p>{reason}</p>}
      {faults.length > 0 && (
        <>
          <Since since={proof.since} templateName={templateName} />
          <details open={isOpen} className={styles.details}>
            <summary>{countOf(faults.length, 'fault')}</summary>
            <ul className={styles.faults} aria-label="Faults">
              {faults.map((fault) => (
                <li key={[fault.kind, fault.step, fault.task, fault.script].join(' ')}>
                  <Fault fault={fault} row={row} />
                </li>
              ))}
            </ul>
          </details>
        </>
      )}
    </section>
  )
}

/** Changes since the guide was proven on the same template. */
function Since({ since, templateName }: { since: ProofView['since']; templateName: string }) {
  const { timeZone } = useMe()
  if (since === null) return <p>No version was proven on {templateName} before.</p>
  const changes = [
    ...(since.files.length > 0 ? [`files ${listOf(since.files)}`] : []),
    ...(since.packages.length > 0 ? [`packages ${listOf(since.packages)}`] : []),
    ...(since.image ? ['the image'] : since.template ? ['the template'] : []),
  ]
  const day = formatDay(today(new Date(since.endedAt), timeZone))
  return (
    <p>
      {changes.length > 0
        ? `Changed since version ${since.number} was proven on ${day}: ${changes.join('; ')}.`
        : `Guide, template and image are those of ${day}, when version ${since.number} was proven. Look for what scripts fetch: packages, downloads, services.`}
    </p>
  )
}

function Fault({ fault, row }: { fault: Proofs['proofs'][number]['faults'][number]; row: LibraryRow }) {
  const { kind, step, task, script, exitStatus, message, errorOutput } = fault
  const place = row.content.findIndex((each) => each.step === step)
  const titled = row.content[place]
  return (
    <>
      <strong>{FAULT_WORDS[kind]}</strong>
      <p className="dim">
        {[
          titled === undefined ? 'Setup of the guide' : `Step ${place + 1}: ${titled.title}`,
          ...(task === '' ? [] : [titled?.tasks.find((each) => each.task === task)?.title ?? task]),
          ...(script === '' ? [] : [script]),
          ...(exitStatus === null ? [] : [`exit status ${exitStatus}`]),
        ].join(' · ')}
      </p>
      {message !== '' && (
        <p>
          <bdi>{message}</bdi>
        </p>
      )}
      <ScriptOutput text={errorOutput} />
    </>
  )
}
