import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'
import { NAME_LENGTH } from '@trainyard/contract/words/limits.ts'
import { api } from '#src/api.ts'
import { useMe } from '#src/me.ts'
import { useSelection } from '#src/selection.ts'
import { useOrganisations } from '#src/trainings.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { notify } from '#src/ui/notices.ts'
import { today } from '#src/ui/time.ts'
import { rupeesTyped } from './amount.ts'
import { accountsKey, ledgerKey } from './keys.ts'
import { problemsOf, type TransactionForm, type TransactionType } from './transaction.ts'

const WORDS = {
  invoice: { title: 'Add Invoice', id: 'Invoice ID', busy: 'Adding...' },
  payment: { title: 'Record Payment', id: 'Payment ID', busy: 'Recording...' },
} as const

interface AddTransactionProps {
  type: TransactionType
  close: () => void
}

/** Add Invoice or Record Payment: an entry of the ledger, which is never changed again. */
export default function AddTransaction({ type, close }: AddTransactionProps) {
  const form = useId()
  const { timeZone } = useMe()
  const { organization } = useSelection()
  const organisations = useOrganisations(true)
  const cache = useQueryClient()
  // The key lasts as long as the dialog: a second click, or a repeat after a lost answer, adds nothing twice.
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const [typed, setTyped] = useState<TransactionForm>(() => ({
    organization: organization ?? '',
    id: '',
    amount: '',
    date: today(new Date(), timeZone),
  }))
  const [tried, setTried] = useState(false)
  const problems = problemsOf(typed, type)
  const adding = useMutation({
    mutationFn: ({ id, amount, ...rest }: TransactionForm) =>
      api.ledger.add({ ...rest, id: id.trim(), amount: rupeesTyped(amount)!, type }, { idempotencyKey }),
    onSuccess: (reply) => {
      notify.status(reply.message)
      close()
      return Promise.all([ledgerKey, accountsKey].map((queryKey) => cache.invalidateQueries({ queryKey })))
    },
    onError: (error) => notify.alert(error.message),
  })
  const fieldOf = (name: keyof TransactionForm) => ({
    value: typed[name],
    error: tried && problems[name] && <Problem>{problems[name]}</Problem>,
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setTyped((before) => ({ ...before, [name]: value }))
    },
  })
  const words = WORDS[type]
  return (
    <Dialog
      title={words.title}
      close={close}
      foot={
        <>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form={form} disabled={adding.isPending}>
            {adding.isPending ? words.busy : words.title}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (Object.keys(problems).length === 0 && !adding.isPending) adding.mutate(typed)
        }}
      >
        <NativeSelect label="Organization" data-autofocus {...fieldOf('organization')}>
          <option value="">Select an organization</option>
          {organisations.data?.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </NativeSelect>
        <TextInput label={words.id} autoComplete="off" maxLength={NAME_LENGTH} {...fieldOf('id')} />
        <TextInput label="Amount (₹)" inputMode="decimal" autoComplete="off" maxLength={20} {...fieldOf('amount')} />
        <TextInput label="Date" type="date" {...fieldOf('date')} />
        <p className="dim">It can’t be changed afterwards: what was wrong is put right with another entry.</p>
      </form>
    </Dialog>
  )
}

const Problem = ({ children }: { children: ReactNode }) => <span role="alert">{children}</span>
