import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { NAME_LENGTH } from '@trainyard/platform/contract/words/limits.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

export default function Name() {
  const heading = useId()
  const me = useQuery(query(api.session.me))
  return (
    <section className="stack" aria-labelledby={heading}>
      <h2 id={heading}>Name</h2>
      <Fetched query={me} loading={<Skeleton rows={1} height="4rem" />}>
        {({ name }) => <NameForm key={name} name={name ?? ''} />}
      </Fetched>
    </section>
  )
}

function NameForm({ name }: { name: string }) {
  const [entered, setEntered] = useState(name)
  const saving = useAction(() => api.people.renameMyself({ name: entered.trim() || null }), {
    invalidates: ['session', 'people', 'user'],
  })
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (entered.trim() !== name && !saving.isPending) saving.mutate()
      }}
    >
      <TextInput
        label="Your name"
        description="Admins see it next to your e-mail. Optional."
        autoComplete="name"
        maxLength={NAME_LENGTH}
        maw="24rem"
        {...controlledText(entered, setEntered)}
      />
      <div className="row">
        <Button type="submit" disabled={entered.trim() === name || saving.isPending}>
          {saving.isPending ? 'Saving...' : 'Save Name'}
        </Button>
      </div>
    </form>
  )
}
