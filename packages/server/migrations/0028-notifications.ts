import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A queue: written with the change of the alarm, deleted with what follows from it.
    create table alarm_changes (
      id bigint generated always as identity primary key,
      alarm_id bigint not null,
      is_raised boolean not null
    );

    create table notification_receivers (
      id uuid primary key,
      name text not null,
      type text not null,
      -- Empty for a webhook.
      addresses text[] not null,
      -- Null for e-mail.
      url text,
      -- Encrypted with the data key. Null for e-mail.
      secret_sealed bytea,
      is_enabled boolean not null,
      updated_at timestamptz not null default now(),
      updated_by text not null
    );

    create table notification_routes (
      id uuid primary key,
      name text not null,
      receiver_id uuid not null references notification_receivers,
      -- Empty: all.
      severities text[] not null,
      technologies text[] not null,
      ap_ids text[] not null,
      rule_ids text[] not null,
      emulated text not null,
      group_by text not null,
      group_wait_s integer not null,
      group_interval_s integer not null,
      notify_cleared boolean not null,
      escalate_after_s integer,
      escalate_to uuid references notification_receivers,
      quiet_hours jsonb,
      is_enabled boolean not null,
      updated_at timestamptz not null default now(),
      updated_by text not null
    );
    create index notification_routes_of_receiver on notification_routes (receiver_id);
    create index notification_routes_of_escalation on notification_routes (escalate_to);

    -- Alarms of a route that share messages. Its row is locked before rows of its alarms are changed.
    create table notification_groups (
      route_id uuid not null references notification_routes on delete cascade,
      group_key text not null collate "C",
      last_message_at timestamptz,
      -- When there is something to do. Null: nothing.
      next_at timestamptz,
      primary key (route_id, group_key)
    );
    create index notification_groups_due on notification_groups (next_at) where next_at is not null;

    -- An alarm is in it from when it is raised until the message that it is cleared.
    create table notification_alarms (
      route_id uuid not null references notification_routes on delete cascade,
      alarm_id bigint not null,
      group_key text not null collate "C",
      -- waiting, notified, cleared
      state text not null,
      -- Of 'notified', when it is escalated; null: never, or it was.
      due_at timestamptz,
      escalated_to uuid,
      primary key (route_id, alarm_id)
    );
    create index notification_alarms_of_group on notification_alarms (route_id, group_key, due_at)
      where due_at is not null;
    create index notification_alarms_of_alarm on notification_alarms (alarm_id);

    create table notification_deliveries (
      -- Ordered by time.
      id uuid primary key,
      kind text not null,
      -- No references: the log outlives receivers and routes.
      receiver_id uuid not null,
      receiver_name text not null,
      type text not null,
      route_id uuid,
      route_name text,
      group_key text collate "C",
      subject text not null,
      raised integer not null,
      cleared integer not null,
      -- Counts, and at most 100 alarms.
      content jsonb not null,
      status text not null default 'queued',
      attempts integer not null default 0,
      created_at timestamptz not null default now(),
      -- It is given up then.
      give_up_at timestamptz not null,
      -- Null: sent, or given up.
      next_attempt_at timestamptz,
      -- While a process sends it.
      leased_until timestamptz,
      sent_at timestamptz,
      status_code integer,
      error text
    );
    create index notification_deliveries_queued on notification_deliveries (receiver_id, next_attempt_at)
      where next_attempt_at is not null;
    -- Messages of a group are sent in their order.
    create index notification_deliveries_in_order on notification_deliveries (route_id, group_key, created_at)
      where next_attempt_at is not null;
    create index notification_deliveries_of_receiver on notification_deliveries (receiver_id, id);
    create index notification_deliveries_recent on notification_deliveries (receiver_id, created_at);
    create index notification_deliveries_of_status on notification_deliveries (status, id);
    create index notification_deliveries_by_time on notification_deliveries (created_at);
  `.execute(db)
}
