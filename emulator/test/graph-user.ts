export const user = (name: string, more: object = {}) => ({
  accountEnabled: true,
  displayName: name,
  mailNickname: name,
  userPrincipalName: `${name}@labs.test`,
  passwordProfile: { password: 'Correct-Horse-7', forceChangePasswordNextSignIn: true },
  ...more,
})
