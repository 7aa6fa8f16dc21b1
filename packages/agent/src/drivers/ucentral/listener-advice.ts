/** What to do when access points cannot connect, for the log. */
export const tlsAdvice =
  'check that it uses TLS, that it trusts the certificate of this gateway, and that its own is signed by the CA in "client_ca_file"'

/** The serial number is written by the peer: only one that the settings can have is repeated. */
export const serialAdvice = (serial: string): string =>
  /^[0-9a-z_]{1,64}$/.test(serial)
    ? `if it is yours, add an access point with "device": {"driver": "ucentral", "serial": "${serial}"}`
    : 'check that it is an access point with uCentral: it sends no valid serial number'

const address = 'write an address of this machine as "address" of "ucentral" in the settings, or leave it out'

const ofCodes = new Map<unknown, string>([
  [
    'EADDRINUSE',
    'stop the program that uses the port, or write another "port" of "ucentral" in the settings',
  ],
  [
    'EACCES',
    'write a "port" of "ucentral" of 1024 or more in the settings, or allow this program to use lower ports',
  ],
  ['EADDRNOTAVAIL', address],
  ['ENOTFOUND', address],
  ['EAI_AGAIN', address],
])

/** By the code of the error with which listening has failed. */
export const listenAdvice = (code: string | undefined): string =>
  ofCodes.get(code) ?? 'correct "address" and "port" of "ucentral" in the settings'
