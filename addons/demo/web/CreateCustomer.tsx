import { Checkbox, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isEmail } from '@trainyard/platform/contract/words/email.ts'
import { AMOUNT_RUPEES_MAX, NAME_LENGTH } from '@trainyard/platform/contract/words/limits.ts'
import { numberProblem, parseRupees } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

/** Form that creates an organisation with its first admin, VM cards and credit limit. */
export default function CreateCustomer({ close }: { close: () => void }) {
  const [name, setName] = useState('')
  const [entered, setEntered] = useState('')
  const [limit, setLimit] = useState('')
  const [templates, setTemplates] = useState<readonly string[]>([])
  const [tried, setTried] = useState(false)
  const cards = useQuery(query(api.template.list))
  const creation = useDialogSubmit(api.firstSteps.createCustomer, ['organisation', 'user', 'template'], close)
  const organization = name.trim()
  const email = entered.trim()
  const creditLimit = limit.trim() === '' ? 0 : parseRupees(limit)
  const isLimit = creditLimit !== null && creditLimit >= 0 && creditLimit <= AMOUNT_RUPEES_MAX
  const problems = {
    organization: organization === '' && 'Enter a name.',
    email: !isEmail(email) && 'Enter an e-mail address such as name@example.com.',
    limit: !isLimit && numberProblem(limit, 'Enter an amount such as 50000.'),
  }
  return (
    <FormDialog
      title="Create the first customer"
      submit="Create and invite"
      busy={creation.isPending && 'Creating...'}
      close={close}
      onSubmit={() => {
        setTried(true)
        if (problems.organization || problems.email || !isLimit) return
        creation.mutate({ organization, email, templates: [...templates], creditLimit })
      }}
    >
      <TextInput
        label="Organisation"
        autoComplete="off"
        maxLength={NAME_LENGTH}
        {...controlledText(name, setName)}
        error={tried && problems.organization}
      />
      <TextInput
        label="Admin’s e-mail"
        type="email"
        autoComplete="off"
        {...controlledText(entered, setEntered)}
        error={tried && problems.email}
      />
      {cards.data?.templates.length === 0 ? (
        <p className="dim">There are no VM cards yet. Create one, then assign it to the customer.</p>
      ) : (
        <Checkbox.Group label="VM cards" value={[...templates]} onChange={setTemplates}>
          <div className="stack">
            {cards.data?.templates.map((card) => (
              <Checkbox key={card.name} value={card.name} label={card.name} />
            ))}
          </div>
        </Checkbox.Group>
      )}
      <TextInput
        label="Credit limit (rupees)"
        inputMode="decimal"
        autoComplete="off"
        {...controlledText(limit, setLimit)}
        error={tried && problems.limit}
      />
    </FormDialog>
  )
}
