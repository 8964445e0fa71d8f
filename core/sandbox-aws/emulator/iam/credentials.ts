import { randomBytes } from 'node:crypto'
import type { AwsCloud } from '../cloud.ts'
import { uniqueId } from '../ids.ts'
import { isPropagating } from './sign-in.ts'
import { attachPart, changeUser, listParts, readUser, removePart } from './user-parts.ts'
import type { User } from './user-rows.ts'
import { text, type AwsOperation, type Structure } from '../operation.ts'
import { invalid, limitExceeded, noSuchEntity, temporarilyUnmodifiable } from '../refusal.ts'

const MAX_KEYS = 2

export function credentialOperations(cloud: AwsCloud): AwsOperation[] {
  const { users } = cloud
  return [
    changeUser(cloud, 'CreateAccessKey', (call, user) => {
      if (users.currentParts(user).filter(({ kind }) => kind === 'key').length >= MAX_KEYS) {
        throw limitExceeded(`Cannot exceed quota for AccessKeysPerUser: ${MAX_KEYS}`)
      }
      const id = uniqueId('AKIA')
      const secret = randomBytes(30).toString('base64')
      users.putPart(call, user, 'key', id, { status: 'Active', secret })
      return {
        AccessKey: { ...keyView(user, { name: id, created_at: call.now }, 'Active'), SecretAccessKey: secret },
      }
    }),
    listParts(cloud, 'ListAccessKeys', 'key', 'AccessKeyMetadata', (user, part) =>
      keyView(user, part, (JSON.parse(part.doc) as { status: string }).status),
    ),
    changeUser(cloud, 'UpdateAccessKey', (call, user) => {
      const id = text(call, 'AccessKeyId')
      const key = users.part(call, user, 'key', id)
      if (key === undefined) throw noSuchEntity(`The Access Key with id ${id} cannot be found.`)
      const status = text(call, 'Status')
      if (status !== 'Active' && status !== 'Inactive') {
        throw invalid(
          `1 validation error detected: Value '${status}' at 'status' failed to satisfy constraint: Member must satisfy enum value set: [Active, Inactive]`,
        )
      }
      users.putPart(call, user, 'key', id, { ...(JSON.parse(key.doc) as object), status })
      return undefined
    }),
    removePart(cloud, 'DeleteAccessKey', 'key', 'AccessKeyId'),
    listParts(cloud, 'ListMFADevices', 'mfa', 'MFADevices', (user, part) => ({
      UserName: user.name,
      SerialNumber: part.name,
      EnableDate: new Date(part.created_at),
    })),
    changeUser(cloud, 'EnableMFADevice', (call, user) => {
      const login = users.currentParts(user).find(({ kind }) => kind === 'login')
      if (login !== undefined && isPropagating(cloud, login, call.now)) {
        throw temporarilyUnmodifiable(
          `MFA cannot be enabled while the Login Profile for principal ${user.name} is being created.`,
        )
      }
      users.putPart(call, user, 'mfa', text(call, 'SerialNumber'))
      return undefined
    }),
    removePart(cloud, 'DeactivateMFADevice', 'mfa', 'SerialNumber'),
    {
      service: 'iam',
      action: 'DeleteVirtualMFADevice',
      isRead: false,
      handle(call) {
        text(call, 'SerialNumber')
        return undefined
      },
    },
    listParts(cloud, 'ListSigningCertificates', 'certificate', 'Certificates', (user, part) => ({
      UserName: user.name,
      CertificateId: part.name,
      CertificateBody: (JSON.parse(part.doc) as { body: string }).body,
      Status: 'Active',
      UploadDate: new Date(part.created_at),
    })),
    removePart(cloud, 'DeleteSigningCertificate', 'certificate', 'CertificateId'),
    changeUser(cloud, 'UploadSSHPublicKey', (call, user) => {
      const id = uniqueId('APKA')
      const body = text(call, 'SSHPublicKeyBody')
      users.putPart(call, user, 'ssh', id, { body })
      return {
        SSHPublicKey: {
          UserName: user.name,
          SSHPublicKeyId: id,
          Fingerprint: '00:00',
          SSHPublicKeyBody: body,
          Status: 'Active',
        },
      }
    }),
    listParts(cloud, 'ListSSHPublicKeys', 'ssh', 'SSHPublicKeys', (user, part) => ({
      UserName: user.name,
      SSHPublicKeyId: part.name,
      Status: 'Active',
      UploadDate: new Date(part.created_at),
    })),
    removePart(cloud, 'DeleteSSHPublicKey', 'ssh', 'SSHPublicKeyId'),
    changeUser(cloud, 'CreateServiceSpecificCredential', (call, user) => {
      const service = text(call, 'ServiceName')
      const id = uniqueId('ACCA')
      users.putPart(call, user, 'service', id, { service })
      return {
        ServiceSpecificCredential: {
          ...serviceCredentialView(user, id, service, call.now),
          ServicePassword: 'emulated',
        },
      }
    }),
    readUser(cloud, 'ListServiceSpecificCredentials', (call, user) => {
      const parts = users.parts(call, user, 'service')
      return {
        ServiceSpecificCredentials: parts.map((part) =>
          serviceCredentialView(
            user,
            part.name,
            (JSON.parse(part.doc) as { service: string }).service,
            part.created_at,
          ),
        ),
      }
    }),
    removePart(cloud, 'DeleteServiceSpecificCredential', 'service', 'ServiceSpecificCredentialId'),
    listParts(cloud, 'ListGroupsForUser', 'group', 'Groups', (user, part) => ({
      Path: '/',
      GroupName: part.name,
      GroupId: `AGPA${part.name.toUpperCase().padEnd(16, 'X').slice(0, 16)}`,
      Arn: `arn:aws:iam::${user.account}:group/${part.name}`,
      CreateDate: new Date(part.created_at),
    })),
    attachPart(cloud, 'AddUserToGroup', 'group', 'GroupName'),
    removePart(cloud, 'RemoveUserFromGroup', 'group', 'GroupName'),
  ]
}

const keyView = (user: User, key: { name: string; created_at: number }, status: string): Structure => ({
  UserName: user.name,
  AccessKeyId: key.name,
  Status: status,
  CreateDate: new Date(key.created_at),
})

const serviceCredentialView = (user: User, id: string, service: string, createdAt: number): Structure => ({
  UserName: user.name,
  Status: 'Active',
  ServiceUserName: `${user.name}-at-${user.account}`,
  CreateDate: new Date(createdAt),
  ServiceSpecificCredentialId: id,
  ServiceName: service,
})
