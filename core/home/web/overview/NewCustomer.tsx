import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { NAME_LENGTH } from '@trainyard/platform/contract/words/limits.ts'
import { isEmail } from '@trainyard/platform/contract/words/email.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { newId } from '@trainyard/platform/web/api/new-id.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { assigner } from '@trainyard/templates/web/assign-each.ts'
import { CardsField } from '@trainyard/templates/web/CardsField.tsx'

const STEPS = ['Customer', 'VM cards', 'First admin'] as const

const focus = (field: HTMLInputElement | null) => field?.focus()

/** Creates an organisation, assigns cards to it and invites its first admin. */
export default function NewCustomer({ close }: { close: () => void }) {
  const [step, setStep] = useState(0)
  const [name, setName] = useState('')
  const [cards, setCards] = useState<string[]>([])
  const [email, setEmail] = useState('')
  const [tried, setTried] = useState(false)
  // A retry after a refusal repeats only what was not done.
  const [assign] = useState(assigner)
  const [keys] = useState(() => new Map<string, string>())
  const idempotencyKeyOf = (what: string): string => {
    keys.set(what, keys.get(what) ?? newId())
    return keys.get(what)!
  }
  const [created, setCreated] = useState<string | null>(null)
  const organization = name.trim()
  const problem = [
    organization === '' ? 'Enter the name of the customer.' : null,
    cards.length === 0 ? 'Select a template.' : null,
    isEmail(email.trim()) ? null : 'Enter an e-mail address.',
  ][step]
  const creation = useDialogSubmit<undefined>(
    async () => {
      if (created !== organization) {
        await api.organisation.create({ organization }, { idempotencyKey: idempotencyKeyOf(organization) })
        setCreated(organization)
      }
      await assign(organization, cards)
      const admin = { email: email.trim(), organization, userType: 'admin' } as const
      await api.user.invite(admin, { idempotencyKey: idempotencyKeyOf(admin.email) })
      const count = cards.length === 1 ? '1 card' : `${cards.length} cards`
      return { message: `${organization} can order from ${count}. ${admin.email} is invited as admin.` }
    },
    ['organisation', 'template', 'user'],
    close,
  )
  return (
    <FormDialog
      title={`New customer, step ${step + 1} of ${STEPS.length}: ${STEPS[step]}`}
      submit={step < STEPS.length - 1 ? 'Next' : 'Create Customer'}
      busy={creation.isPending && 'Creating...'}
      close={close}
      onSubmit={() => {
        setTried(problem !== null)
        if (problem !== null) return
        if (step < STEPS.length - 1) setStep(step + 1)
        else creation.mutate(undefined)
      }}
    >
      {step === 0 && (
        <TextInput
          key="name"
          data-autofocus
          label="Organization"
          autoComplete="off"
          maxLength={NAME_LENGTH}
          readOnly={created !== null}
          {...controlledText(name, setName)}
          error={tried && problem}
        />
      )}
      {step === 1 && (
        <CardsField label="Templates that it can order" chosen={cards} choose={setCards} error={tried && problem} />
      )}
      {step === 2 && (
        <TextInput
          key="email"
          ref={focus}
          label="Email of the first admin"
          description="Receives a link to choose a password."
          type="email"
          autoComplete="off"
          {...controlledText(email, setEmail)}
          error={tried && problem}
        />
      )}
      {/* What was created and assigned before a refusal stays. */}
      {step > 0 && created === null && (
        <div>
          <Button variant="default" onClick={() => setStep(step - 1)}>
            Back
          </Button>
        </div>
      )}
    </FormDialog>
  )
}
