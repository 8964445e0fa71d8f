/** Files that the build of the web application starts from besides app.html, by the name of their output. */
export const entries: Readonly<Record<string, string>> = {
  remote: 'addons/remote-access/web/remote.html',
  developers: 'addons/api-keys/web/developers.html',
  secondStep: 'addons/second-factor/web/second-step.ts',
}
