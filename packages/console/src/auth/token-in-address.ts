/** The link in an e-mail has the token in its fragment, which is not sent to servers and does not appear in logs. */
export const tokenInAddress = (): string => new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
