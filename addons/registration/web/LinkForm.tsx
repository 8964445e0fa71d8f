import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { RegistrationLink, registrationLink } from '../contract/registration.ts'
import { BROWSER_ACCESS_SURCHARGE, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledCheck, typedFields } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { type EnteredLink, formValuesOf, linkOf } from './link-form.ts'
import styles from './Registration.module.css'

interface LinkFormProps {
  training: TrainingQuery
  templates: ReplyOf<typeof registrationLink.list>['templates']
  /** Undefined for a new link. */
  link?: RegistrationLink
  close: () => void
}

const WITHOUT = { value: '', label: 'No machine' }

export default function LinkForm({ training, templates, link, close }: LinkFormProps) {
  const { timeZone, role } = useMe()
  const isInstructor = role === 'user'
  const [entered, setEntered] = useState(() => formValuesOf(link, timeZone))
  const [needsApproval, setNeedsApproval] = useState(link?.needsApproval ?? false)
  const [guacamole, setGuacamole] = useState(link?.machine?.guacamole ?? true)
  const [tried, setTried] = useState(false)
  const read = linkOf(entered, { needsApproval, guacamole, timeZone })
  const saving = useDialogSubmit(
    (settings: NonNullable<typeof read.settings>, options) =>
      link === undefined
        ? api.registrationLink.create({ ...training, ...settings }, options)
        : api.registrationLink.change({ link: link._id, ...settings }),
    ['registrationLink'],
    close,
  )
  const fieldOf = typedFields<EnteredLink>(entered, setEntered, tried ? read.problems : null)
  const unassignedTemplate =
    entered.template !== '' && !templates.some(({ name }) => name === entered.template)
      ? [{ value: entered.template, label: `${entered.template} (not assigned)` }]
      : []
  return (
    <FormDialog
      title={link === undefined ? 'New Registration Link' : `Change ${link.name}`}
      submit={link === undefined ? 'Create Link' : 'Save'}
      busy={saving.isPending && 'Saving...'}
      onSubmit={() => {
        setTried(true)
        if (read.settings !== null) saving.mutate(read.settings)
      }}
      close={close}
    >
      <TextInput
        data-autofocus
        label="Name"
        description="Shown to you and in the audit, not to learners."
        autoComplete="off"
        {...fieldOf('name')}
      />
      <TextInput label="Seats" inputMode="numeric" autoComplete="off" {...fieldOf('seats')} />
      <div className={styles.pair}>
        <TextInput
          label="From (optional)"
          type="datetime-local"
          description={`In the zone ${timeZone}.`}
          {...fieldOf('opensAt')}
        />
        <TextInput
          label="Until (optional)"
          type="datetime-local"
          description={`In the zone ${timeZone}.`}
          {...fieldOf('closesAt')}
        />
      </div>
      <TextInput
        label="E-mail domains (optional)"
        description="Such as example.com, separated by commas. Empty: every address."
        autoComplete="off"
        {...fieldOf('domains')}
      />
      <Checkbox
        label="Approve each registration"
        description="Otherwise a learner gets a free seat immediately."
        {...controlledCheck(needsApproval, setNeedsApproval)}
      />
      {isInstructor ? (
        <p className="dim">
          {entered.template === ''
            ? 'Learners get a seat without a machine. Only admins create links with machines.'
            : `Each seat has a machine, ${entered.template}. Only admins change it, or add seats.`}
        </p>
      ) : (
        <NativeSelect
          label="Machine of each seat"
          data={[
            WITHOUT,
            ...unassignedTemplate,
            ...templates.map(({ name, os }) => ({ value: name, label: `${name} (${os})` })),
          ]}
          {...fieldOf('template')}
        />
      )}
      {entered.template !== '' && !isInstructor && (
        <>
          <TextInput
            label="Allocated hours (optional)"
            description="For each machine. Empty: no limit."
            inputMode="decimal"
            autoComplete="off"
            {...fieldOf('hours')}
          />
          <Checkbox
            label="Access in the browser"
            description={`${rupeesOfPaise(BROWSER_ACCESS_SURCHARGE)} rupees extra an hour for each machine.`}
            {...controlledCheck(guacamole, setGuacamole)}
          />
        </>
      )}
    </FormDialog>
  )
}
