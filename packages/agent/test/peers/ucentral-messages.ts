/**
 * Messages of an access point, in the words of PROTOCOL.md of Telecominfraproject/wlan-cloud-ucentralgw: its spaces and line
 * breaks, with values where it has a description of them. The documents `state` follow the schema of
 * Telecominfraproject/wlan-ucentral-schema. See README.md.
 */
import { deflateSync } from 'node:zlib'

export const connect = (
  serial: string,
  firmware = 'OpenWrt 21.02-SNAPSHOT r16399 / TIP-v3.0.0',
) => `{     "jsonrpc" : "2.0" , 
      "method" : "connect" , 
      "params" : {
        "serial" : "${serial}" ,
        "uuid" : 1619821343,
        "firmware" : "${firmware}",
        "wanip" : [ "24.17.1.23:54322" , "[2345:23::234]:32323" ], 
        "capabilities" : { "compatible": "edgecore_eap101", "model": "EdgeCore EAP101", "platform": "ap" }
    }
}
`

export const state = (serial: string, document: object) => `{   "jsonrpc" : "2.0" , 
    "method" : "state" , 
    "params" : {
        "serial" : "${serial}" ,
        "uuid" : 1619821343,
        "state" : ${JSON.stringify(document)}
      }
}
`

/** As `How to compress` has it: the parameters through zlib and base64. */
export function compressedState(serial: string, document: object): string {
  const params = JSON.stringify({ serial, uuid: 1_619_821_343, state: document })
  return `{   "jsonrpc" : "2.0" , 
    "method" : "state" , 
    "params" : {
	    "compress_64" : "${deflateSync(params).toString('base64')}",
        "compress_sz" : ${params.length}
  }
}
`
}

export const healthcheck = (serial: string, sanity: number) => `{   "jsonrpc" : "2.0" , 
    "method" : "healthcheck" , 
    "params" : {
        "serial" : "${serial}" ,
        "uuid" : 1619821343,
        "sanity": ${sanity},
        "data" : {}
      }
}
`

export const log = (serial: string, text: string, severity: number) => `{   "jsonrpc" : "2.0" , 
    "method" : "log" , 
    "params" : {
        "serial" : "${serial}" ,
        "log" : "${text}",
        "severity" : ${severity},
        "data" : {}
    }
}
`

/** The example of PROTOCOL.md without a change: of the serial number 001122334455. */
export const documentedEvent = `{   "jsonrpc" : "2.0" , 
    "method" : "event" , 
    "params" : {
        "serial" : "001122334455" ,
        "data" : { 
          "event" : [
            1871263817263,
            {
              "type" : "the event type",
              "payload" : {
                "field1" : "value1"
              }
            }
          ]
        }
    }
}
`

export const event = (serial: string, type: string, payload: object) => `{   "jsonrpc" : "2.0" , 
    "method" : "event" , 
    "params" : {
        "serial" : "${serial}" ,
        "data" : { 
          "event" : [
            1871263817263,
            {
              "type" : "${type}",
              "payload" : ${JSON.stringify(payload)}
            }
          ]
        }
    }
}
`

export const telemetry = (serial: string, data: object) => `{   "jsonrpc" : "2.0" , 
    "method" : "telemetry" , 
    "params" : {
        "serial" : "${serial}" ,
        "data" : ${JSON.stringify(data)}
      }
}
`

export const crashlog = (serial: string, lines: readonly string[]) => `{   "jsonrpc" : "2.0" , 
    "method" : "crashlog" , 
    "params" : {
        "serial" : "${serial}" ,
        "uuid"   : 1619821343,
        "loglines" : ${JSON.stringify(lines)}
      }
}
`

export const recovery = (serial: string, lines: readonly string[]) => `{   "jsonrpc" : "2.0" , 
    "method" : "recovery" , 
    "params" : {
        "serial" : "${serial}" ,
        "uuid"   : 0,
        "firmware": "OpenWrt 21.02-SNAPSHOT r16399 / TIP-v3.0.0",
        "reboot" : true,
        "loglines" : ${JSON.stringify(lines)}
      }
}
`

export const deviceUpdate = (serial: string, password: string) => `{   "jsonrpc" : "2.0" , 
    "method" : "deviceupdate" , 
    "params" : {
        "serial" : "${serial}",
        "currentPassword" : "${password}"
    }
}
`

export const ping = (serial: string, uuid = 1_619_821_343) => `{   "jsonrpc" : "2.0" , 
    "method" : "ping" , 
    "params" : {
        "serial" : "${serial}" ,
        "uuid" : ${uuid}
    }
}
`

/** RADIUS packets that an access point passes on are no JSON-RPC. */
export const radius = `{
    "radius" : "auth" ,
    "data" : "AQAAFA=="
}
`

export interface PeerStatus {
  error: number
  text: string
  rejected?: object[]
}

export const answer = (serial: string, id: number, status: PeerStatus) => `{     "jsonrpc" : "2.0" , 
      "result" : {
      "serial" : "${serial}" ,
      "status" : ${JSON.stringify({ ...status, when: 0 })}
  	},
  "id" : ${id}
}
`
