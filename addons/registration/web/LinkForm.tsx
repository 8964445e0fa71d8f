import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import { linkSettings, type RegistrationLink, type registrationLink } from '../contract/registration.ts'
import { BROWSER_ACCESS_SURCHARGE, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { formValuesOf, linkOf, type LinkSettings } from './link-form.ts'
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
  const form = useShapedForm({
    shape: linkSettings,
    initialValues: formValuesOf(link, timeZone),
    bodyOf: (entered) => linkOf(entered, timeZone),
  })
  const saving = useDialogSubmit(
    (settings: LinkSettings, options) =>
      link === undefined
        ? api.registrationLink.create({ ...training, ...settings }, options)
        : api.registrationLink.change({ link: link._id, ...settings }),
    ['registrationLink'],
    close,
  )
  const template = form.values.machine.templateName
  const unassignedTemplate =
    template !== '' && !templates.some(({ name }) => name === template)
      ? [{ value: template, label: `${template} (not assigned)` }]
      : []
  return (
    <FormDialog
      title={link === undefined ? 'New Registration Link' : `Change ${link.name}`}
      submit={link === undefined ? 'Create Link' : 'Save'}
      busy={saving.isPending && 'Saving...'}
      onSubmit={form.onSubmit((settings) => saving.mutate(settings))}
      close={close}
    >
      <TextInput
        data-autofocus
        label="Name"
        description="Shown to you and in the audit, not to learners."
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <TextInput label="Seats" inputMode="numeric" autoComplete="off" {...form.getInputProps('seats')} />
      <div className={styles.pair}>
        <TextInput
          label="From (optional)"
          type="datetime-local"
          description={`In the zone ${timeZone}.`}
          {...form.getInputProps('opensAt')}
        />
        <TextInput
          label="Until (optional)"
          type="datetime-local"
          description={`In the zone ${timeZone}.`}
          {...form.getInputProps('closesAt')}
        />
      </div>
      <TextInput
        label="E-mail domains (optional)"
        description="Such as example.com, separated by commas. Empty: every address."
        autoComplete="off"
        {...form.getInputProps('domains')}
      />
      <Checkbox
        label="Approve each registration"
        description="Otherwise a learner gets a free seat immediately."
        {...form.getInputProps('needsApproval', { type: 'checkbox' })}
      />
      {isInstructor ? (
        <p className="dim">
          {template === ''
            ? 'Learners get a seat without a machine. Only admins create links with machines.'
            : `Each seat has a machine, ${template}. Only admins change it, or add seats.`}
        </p>
      ) : (
        <NativeSelect
          label="Machine of each seat"
          data={[
            WITHOUT,
            ...unassignedTemplate,
            ...templates.map(({ name, os }) => ({ value: name, label: `${name} (${os})` })),
          ]}
          {...form.getInputProps('machine.templateName')}
        />
      )}
      {template !== '' && !isInstructor && (
        <>
          <TextInput
            label="Allocated hours (optional)"
            description="For each machine. Empty: no limit."
            inputMode="decimal"
            autoComplete="off"
            {...form.getInputProps('machine.allocatedHours')}
          />
          <Checkbox
            label="Access in the browser"
            description={`${rupeesOfPaise(BROWSER_ACCESS_SURCHARGE)} rupees extra an hour for each machine.`}
            {...form.getInputProps('machine.guacamole', { type: 'checkbox' })}
          />
        </>
      )}
    </FormDialog>
  )
}
