/** Name of a virtual network, or the resource ID of one or of its subnet in any group and subscription. */
export const AZURE_NETWORK_PATTERN =
  /^(?:[A-Za-z0-9](?:[\w.-]{0,62}\w)?|\/subscriptions\/[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}\/[Rr]esource[Gg]roups\/[\w.()-]{1,90}\/providers\/[Mm]icrosoft\.[Nn]etwork\/virtual[Nn]etworks\/[A-Za-z0-9](?:[\w.-]{0,62}\w)?(?:\/subnets\/[A-Za-z0-9](?:[\w.-]{0,78}\w)?)?)$/
