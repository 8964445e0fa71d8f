import { LabUsers } from '#src/lab-user/LabUsers.tsx'
import { UserSandboxes, type AzureUser } from './UserSandboxes.tsx'
import { api } from '#src/api/client.ts'
import type { LabUserSource } from '#src/lab-user/lab-users.ts'

/** Azure lab users, for the cards and for adding many at once. */
const azureUsers: LabUserSource<AzureUser> = {
  list: api.sandboxUser.list,
  create: (user, options) => api.sandboxUser.create({ ...user }, options),
  renew: (renewal, options) => api.sandboxUser.renew({ ...renewal }, options),
  ended: api.sandboxUser.ended,
  hasCredits: true,
  remove: (email) => api.sandboxUser.remove({ email }),
}

const consequences = ({ email, sandbox }: AzureUser) => (
  <>
    <p>
      <strong>{email}</strong> is signed out here at once. At Azure their access is blocked first, then the user is
      deleted.
    </p>
    {sandbox.length > 0 && (
      <div>
        <p>With them {sandbox.length === 1 ? 'goes 1 sandbox' : `go ${sandbox.length} sandboxes`}, and all in it:</p>
        <ul>
          {sandbox.map(({ _id, resourceGroupName }) => (
            <li key={_id} className="mono">
              {resourceGroupName}
            </li>
          ))}
        </ul>
      </div>
    )}
  </>
)
const more = (user: AzureUser) => <UserSandboxes user={user} />

/** Azure Lab Users: cards with credits and sandboxes, add, many at once, and delete. */
export default function AzureUsers() {
  return <LabUsers source={azureUsers} consequences={consequences} more={more} />
}
