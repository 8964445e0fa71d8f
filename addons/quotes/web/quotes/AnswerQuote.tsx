import { Radio, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ListedQuote } from '../../contract/quote.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

interface AnswerQuoteProps {
  quote: ListedQuote
  isSuperadmin: boolean
  close: () => void
}

export function AnswerQuote({ quote: { number }, isSuperadmin, close }: AnswerQuoteProps) {
  const [decision, setDecision] = useState('')
  const [remark, setRemark] = useState('')
  const [tried, setTried] = useState(false)
  const deciding = useAction((body: Parameters<typeof api.quote.decide>[0]) => api.quote.decide(body), {
    invalidates: ['quote'],
    refetchesOnFailure: true,
    onDone: close,
  })
  const submit = () => {
    setTried(true)
    const answer = remark.trim()
    if (decision === 'accepted' || decision === 'declined')
      deciding.mutate({ number, decision, ...(answer !== '' && { answer }) })
  }
  return (
    <FormDialog
      title={`Answer to ${number}`}
      submit={decision === 'declined' ? 'Decline Quote' : 'Accept Quote'}
      busy={deciding.isPending && 'Saving...'}
      onSubmit={submit}
      close={close}
    >
      <Radio.Group
        label="Answer"
        value={decision}
        onChange={setDecision}
        error={tried && decision === '' && 'Choose an answer.'}
      >
        <div className="stack">
          <Radio
            value="accepted"
            label="Accept"
            description="The supplier sends a proforma invoice, then a tax invoice."
          />
          <Radio value="declined" label="Decline" />
        </div>
      </Radio.Group>
      <TextInput
        label="Remark"
        description={isSuperadmin ? 'Optional. For example how the customer answered.' : 'Optional.'}
        autoComplete="off"
        maxLength={200}
        {...controlledText(remark, setRemark)}
      />
    </FormDialog>
  )
}
