import type { MachineBody, Os, OsProfile } from './machine-body.ts'
import { invalidParameter } from '../arm/refusal.ts'

const forbiddenUsernames = new Set(
  `administrator admin user user1 test user2 test1 user3 admin1 1 123 a actuser adm admin2 aspnet backup console
david guest john owner root server sql support support_388945a0 sys test2 test3 user4 user5 video`.split(/\s+/),
)

const forbiddenPasswords = new Set([
  'abc@123',
  'P@$$w0rd',
  'P@ssw0rd',
  'P@ssword123',
  'Pa$$word',
  'pass@word1',
  'Password!',
  'Password1',
  'Password22',
  'iloveyou!',
])

export function refuseBadOsProfile(profile: OsProfile, os: Os): void {
  refuseBadComputerName(profile.computerName, os)
  refuseBadUsername(profile.adminUsername, os)
  const byKeyOnly = profile.linuxConfiguration?.disablePasswordAuthentication === true
  if (byKeyOnly && os === 'Linux') return
  refuseBadPassword(profile.adminPassword, os)
}

export function refuseMismatch(body: MachineBody, os: Os): void {
  const { osProfile, licenseType } = body.properties
  const other = os === 'Linux' ? osProfile?.windowsConfiguration : osProfile?.linuxConfiguration
  if (other !== undefined) {
    const part = os === 'Linux' ? 'windowsConfiguration' : 'linuxConfiguration'
    throw invalidParameter(`osProfile.${part}`, `The property '${part}' is not allowed for a ${os} virtual machine.`)
  }
  if (licenseType === undefined) return
  const allowed =
    os === 'Windows'
      ? ['Windows_Server', 'Windows_Client', 'None']
      : ['RHEL_BYOS', 'SLES_BYOS', 'RHEL_ELS_6', 'UBUNTU_PRO', 'None']
  if (allowed.includes(licenseType)) return
  throw invalidParameter(
    'licenseType',
    `The value '${licenseType}' of the property 'licenseType' is not allowed for a ${os} virtual machine.`,
  )
}

function refuseBadComputerName(name: string | undefined, os: Os): void {
  if (name === undefined || name === '') {
    throw invalidParameter('osProfile.computerName', "Required parameter 'osProfile.computerName' is missing (null).")
  }
  if (os === 'Windows') {
    if (name.length <= 15 && !/^\d+$/.test(name) && /^[A-Za-z0-9-]+$/.test(name) && !name.endsWith('-')) return
    throw invalidParameter(
      'osProfile.computerName',
      'Windows computer name cannot be more than 15 characters long, be entirely numeric, or contain the following characters: ` ~ ! @ # $ % ^ & * ( ) = + _ [ ] { } \\ | ; : . \' " , < > / ?.',
    )
  }
  if (name.length <= 64 && /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(name)) return
  throw invalidParameter(
    'osProfile.computerName',
    'Linux host name cannot exceed 64 characters in length or contain the following characters: ` ~ ! @ # $ % ^ & * ( ) = + _ [ ] { } \\ | ; : \' " , < > / ?.',
  )
}

function refuseBadUsername(name: string | undefined, os: Os): void {
  const target = 'osProfile.adminUsername'
  if (name === undefined || name === '') {
    throw invalidParameter(target, "Required parameter 'osProfile.adminUsername' is missing (null).")
  }
  const maxLength = os === 'Windows' ? 20 : 64
  if (name.length > maxLength) {
    throw invalidParameter(target, `The Admin Username specified is too long: at most ${maxLength} characters.`)
  }
  if (forbiddenUsernames.has(name.toLowerCase())) {
    throw invalidParameter(target, 'The Admin Username specified is not allowed.')
  }
  if (os === 'Windows' && (name.endsWith('.') || /[\\/"[\]:|<>+=;,?*@&\s]/.test(name))) {
    throw invalidParameter(
      target,
      'The Admin Username specified contains characters that are not allowed, or ends with a dot.',
    )
  }
  if (os === 'Linux' && !/^[a-z_][\w.-]*\$?$/i.test(name)) {
    throw invalidParameter(target, 'The Admin Username specified contains characters that are not allowed.')
  }
}

function refuseBadPassword(password: string | undefined, os: Os): void {
  const target = 'osProfile.adminPassword'
  if (password === undefined) {
    const message =
      os === 'Linux'
        ? "Authentication using either SSH or by user name and password must be enabled in Linux profile. The parameter 'adminPassword' is missing."
        : "Required parameter 'adminPassword' is missing (null)."
    throw invalidParameter(target, message)
  }
  const [minLength, maxLength] = os === 'Windows' ? [8, 123] : [6, 72]
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(password)).length
  if (password.length < minLength || password.length > maxLength || classes < 3) {
    throw invalidParameter(
      target,
      `The supplied password must be between ${minLength}-${maxLength} characters long and must satisfy at least 3 of password complexity requirements from the following: 1) Contains an uppercase character 2) Contains a lowercase character 3) Contains a numeric digit 4) Contains a special character 5) Control characters are not allowed`,
    )
  }
  if (forbiddenPasswords.has(password)) {
    throw invalidParameter(target, 'The supplied password is not allowed: it is one of the disallowed values.')
  }
}
