import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { breach as breachCalls } from '@trainyard/contract/calls/breach.ts'
import { BREACH_TEXT_MAX } from '@trainyard/contract/words/limits.ts'
import { api } from '#src/api/client.ts'
import { useDialogSubmit } from '#src/forms/useDialogSubmit.ts'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { OrganisationField } from '#src/ui/OrganisationField.tsx'
import { useNow } from '#src/ui/useNow.ts'
import { controlledText, typedFields } from '#src/ui/typed-fields.tsx'

export type Breach = ReplyOf<typeof breachCalls.list>['breaches'][number]

export function RecordBreach({ close }: { close: () => void }) {
  const [entered, setEntered] = useState({ what: '', foundAt: '' })
  const [tried, setTried] = useState(false)
  const recording = useDialogSubmit(api.breach.record, ['breach'], close)
  const now = useNow()
  const found = new Date(entered.foundAt)
  const problems = {
    what: entered.what.trim() === '' && 'Describe what happened.',
    foundAt: !(found <= now) && 'Enter a time that is not in the future.',
  }
  const field = typedFields(entered, setEntered, tried ? problems : null)
  return (
    <FormDialog
      title="Record a Breach"
      submit="Record Breach"
      busy={recording.isPending && 'Recording...'}
      close={close}
      onSubmit={() => {
        setTried(true)
        if (problems.what === false && problems.foundAt === false)
          recording.mutate({ what: entered.what.trim(), foundAt: found.toISOString() })
      }}
    >
      <Textarea
        data-autofocus
        label="What Happened"
        description="Affected users receive this text."
        rows={4}
        maxLength={BREACH_TEXT_MAX}
        {...field('what')}
      />
      <TextInput label="Found At (time of this computer)" type="datetime-local" {...field('foundAt')} />
    </FormDialog>
  )
}

const DETAILS = {
  what: ['What Happened', 'Affected users receive this text.'],
  cause: ['Cause', 'For the report to the Board only.'],
  consequences: ['Likely Consequences', 'For the affected users.'],
  measures: ['Measures Taken', 'By you, to reduce the risk and to prevent a repetition.'],
  advice: ['Advice to Users', 'What they can do, for example: change passwords.'],
  contact: ['Contact for Questions', 'Name, and an e-mail address or phone number.'],
} as const
const NAMES = Object.keys(DETAILS) as (keyof typeof DETAILS)[]

export function EditBreach({ breach, close }: { breach: Breach; close: () => void }) {
  const [entered, setEntered] = useState(
    () => Object.fromEntries(NAMES.map((name) => [name, breach[name] ?? ''])) as Record<keyof typeof DETAILS, string>,
  )
  const editing = useDialogSubmit(api.breach.change, ['breach'], close)
  const problem = entered.what.trim() === '' && 'Describe what happened.'
  const field = typedFields(entered, setEntered, { what: problem })
  const changed = NAMES.filter((name) => entered[name].trim() !== (breach[name] ?? ''))
  return (
    <FormDialog
      title={`Details of Breach ${breach.number}`}
      submit="Save Details"
      wide
      busy={editing.isPending && 'Saving...'}
      close={close}
      onSubmit={() => {
        if (problem !== false) return
        if (changed.length === 0) return close()
        editing.mutate({
          number: breach.number,
          ...Object.fromEntries(changed.map((name) => [name, entered[name].trim() || null])),
        })
      }}
    >
      {NAMES.map((name) => (
        <Textarea
          key={name}
          label={DETAILS[name][0]}
          description={DETAILS[name][1]}
          rows={name === 'contact' ? 1 : 3}
          maxLength={BREACH_TEXT_MAX}
          {...field(name)}
        />
      ))}
    </FormDialog>
  )
}

export function AddAffected({ number, close }: { number: number; close: () => void }) {
  const [entered, setEntered] = useState('')
  const [organization, setOrganization] = useState('')
  const [tried, setTried] = useState(false)
  const adding = useDialogSubmit(api.breach.addAffected, ['breach'], close)
  const emails = entered.split(/[\s,;]+/).filter((text) => text !== '')
  const isEmpty = emails.length === 0 && organization === ''
  return (
    <FormDialog
      title="Add Affected Users"
      submit="Add Users"
      busy={adding.isPending && 'Adding...'}
      close={close}
      onSubmit={() => {
        setTried(true)
        if (!isEmpty) adding.mutate({ number, emails, ...(organization !== '' && { organization }) })
      }}
    >
      <Textarea
        data-autofocus
        label="E-mails"
        description="One per line."
        rows={4}
        error={tried && isEmpty && <span role="alert">Enter e-mail addresses or select an organisation.</span>}
        {...controlledText(entered, setEntered)}
      />
      <p className="dim">Or add all users of an organisation:</p>
      <OrganisationField {...controlledText(organization, setOrganization)} />
    </FormDialog>
  )
}
