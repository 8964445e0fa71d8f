export const user = (name: string, overrides: object = {}) => ({
  accountEnabled: true,
  displayName: name,
  mailNickname: name,
  userPrincipalName: `${name}@labs.test`,
  passwordProfile: { password: 'Correct-Horse-7', forceChangePasswordNextSignIn: true },
  ...overrides,
})
