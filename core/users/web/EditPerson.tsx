import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { people } from '../contract/people.ts'
import { NAME_LENGTH } from '@trainyard/platform/contract/words/limits.ts'
import { ASSIGNABLE_ROLES, type AssignableRole } from '@trainyard/platform/contract/words/role.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledCheck, controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'

export type Person = Pick<ReplyOf<typeof people.list>['people'][number], 'email' | 'name' | 'userType'>

export default function EditPerson({ person, close }: { person: Person; close: () => void }) {
  const { role } = useMe()
  const { email, userType } = person
  const [entered, setEntered] = useState(person.name ?? '')
  const [chosen, setChosen] = useState(userType)
  const [signsOut, setSignsOut] = useState(false)
  const editing = useDialogSubmit(api.people.change, ['people', 'user', 'session'], close)
  const name = entered.trim() || null
  const isLabUser = !ASSIGNABLE_ROLES.some((each) => each === userType)
  const changes = {
    ...(name !== person.name && { name }),
    ...(chosen !== userType && { userType: chosen as AssignableRole }),
    ...(signsOut && { signOut: true as const }),
  }
  return (
    <FormDialog
      title={`Edit ${email}`}
      submit="Save"
      busy={editing.isPending && 'Saving...'}
      close={close}
      onSubmit={() => {
        if (Object.keys(changes).length === 0) close()
        else editing.mutate({ email, ...changes })
      }}
    >
      <TextInput
        label="Name"
        description="Shown next to the e-mail. Optional."
        autoComplete="off"
        maxLength={NAME_LENGTH}
        {...controlledText(entered, setEntered)}
      />
      {role === 'superadmin' && !isLabUser && (
        <NativeSelect
          label="User Type"
          description="A change signs the user out everywhere."
          data={ASSIGNABLE_ROLES}
          {...controlledText(chosen, setChosen)}
        />
      )}
      <Checkbox
        label="Sign them out everywhere"
        description="Open terminals and desktops end too."
        {...controlledCheck(signsOut, setSignsOut)}
      />
    </FormDialog>
  )
}
