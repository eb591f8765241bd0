-- Schema 1 of a hub. Run once by the role hub_owner, in an empty database.
-- Raters never touch tables: they call the functions at the end. Row-level security is the second
-- wall. Instants are milliseconds since 1970 by the clock of this server.
-- Locks are always taken in the order meta, person, seat, claim.
CREATE SCHEMA hub;
GRANT USAGE ON SCHEMA hub TO hub_rater, hub_lead;

CREATE FUNCTION hub.now_ms() RETURNS bigint LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp
    AS $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;

CREATE TABLE hub.meta (
    one        bool PRIMARY KEY DEFAULT true CHECK (one),
    schema     int    NOT NULL DEFAULT 1,
    oldest     int    NOT NULL,              -- protocols that are answered
    newest     int    NOT NULL,
    project_id uuid   NOT NULL,
    title      text   NOT NULL,
    hub_id     uuid   NOT NULL DEFAULT gen_random_uuid(),
    write_role int    NOT NULL DEFAULT 0,    -- number of the copy of the project that may write
    lease_ms   bigint NOT NULL,
    bundle     text   NOT NULL DEFAULT '',
    mark       text   NOT NULL DEFAULT '',   -- of the last acknowledgement
    called     bigint NOT NULL DEFAULT hub.now_ms()
);
CREATE TABLE hub.person (
    id        uuid PRIMARY KEY,
    login     name UNIQUE,                   -- role of the server; it says nothing of the person
    name      text   NOT NULL DEFAULT '',
    roles     text[] NOT NULL DEFAULT '{}',
    kinds     text[] NOT NULL DEFAULT '{}',
    is_active bool   NOT NULL DEFAULT true
);
CREATE TABLE hub.bundle (
    digest text COLLATE "C" PRIMARY KEY,
    body   bytea NOT NULL
);
CREATE TABLE hub.seat (
    id       text COLLATE "C" PRIMARY KEY,
    seq      bigint GENERATED ALWAYS AS IDENTITY,
    grp      text COLLATE "C" NOT NULL,      -- nobody gets two seats of one group
    kind     text NOT NULL,
    stage    text NOT NULL,
    role     text NOT NULL DEFAULT '',
    priority smallint NOT NULL DEFAULT 0,
    only_for uuid,
    excluded uuid[] NOT NULL DEFAULT '{}',
    version  int    NOT NULL DEFAULT 1,
    body     bytea  NOT NULL,
    state    text   NOT NULL DEFAULT 'free' CHECK (state IN ('free', 'held', 'done', 'withdrawn')),
    until    bigint,
    CHECK ((state = 'held') = (until IS NOT NULL))
);
ALTER TABLE hub.seat ALTER body SET STORAGE EXTERNAL;            -- is compressed already
CREATE INDEX seat_free ON hub.seat (kind, role, priority DESC, seq)
    WHERE state = 'free' AND only_for IS NULL;
CREATE INDEX seat_own ON hub.seat (only_for) WHERE state = 'free' AND only_for IS NOT NULL;
CREATE INDEX seat_due ON hub.seat (until) WHERE state = 'held';
CREATE INDEX seat_done ON hub.seat (id) WHERE state = 'done';
CREATE TABLE hub.claim (
    id        uuid PRIMARY KEY,              -- made by the rater's program
    seat_id   text COLLATE "C" NOT NULL REFERENCES hub.seat,
    grp       text COLLATE "C" NOT NULL,
    person_id uuid   NOT NULL REFERENCES hub.person,
    since     bigint NOT NULL DEFAULT hub.now_ms(),
    seen      bigint NOT NULL DEFAULT hub.now_ms(),
    ended_at  bigint,
    ending    text CHECK (ending IN ('submitted', 'released', 'expired', 'revoked'))
);
CREATE UNIQUE INDEX claim_open ON hub.claim (seat_id) WHERE ending IS NULL;  -- never two holders
CREATE INDEX claim_of_person ON hub.claim (person_id, grp);
CREATE INDEX claim_mine ON hub.claim (person_id) WHERE ending IS NULL;
CREATE TABLE hub.delivery (
    claim_id uuid NOT NULL REFERENCES hub.claim,
    digest   text COLLATE "C" NOT NULL,      -- SHA-256 of the body
    body     bytea  NOT NULL CHECK (octet_length(body) <= 64 << 20),
    was_late bool   NOT NULL,
    at       bigint NOT NULL DEFAULT hub.now_ms(),
    outcome  text   NOT NULL DEFAULT '',
    PRIMARY KEY (claim_id, digest)
);
ALTER TABLE hub.delivery ALTER body SET STORAGE EXTERNAL;
CREATE TABLE hub.message (
    number    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at        bigint NOT NULL DEFAULT hub.now_ms(),
    person_id uuid REFERENCES hub.person,    -- null: everybody
    text      text NOT NULL
);
-- What the lead's project has yet to take over. Rows are marked, no cursor is kept: numbers of a
-- sequence do not become visible in their order.
CREATE TABLE hub.event (
    seq       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at        bigint NOT NULL DEFAULT hub.now_ms(),
    kind      text   NOT NULL,
    seat_id   text COLLATE "C" NOT NULL,
    claim_id  uuid   NOT NULL,
    person_id uuid   NOT NULL,
    digest    text   NOT NULL DEFAULT '',
    by        name   NOT NULL DEFAULT session_user,
    is_acknowledged bool NOT NULL DEFAULT false
);
CREATE INDEX event_new ON hub.event (seq) WHERE NOT is_acknowledged;

-- Row-level security: even with a granted SELECT a rater sees what is theirs, nothing else.
CREATE FUNCTION hub.me() RETURNS uuid LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = hub, pg_temp AS
    $$ SELECT id FROM hub.person WHERE login = session_user AND is_active $$;
DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY ARRAY['meta', 'person', 'bundle', 'seat', 'claim', 'delivery', 'message', 'event']
  LOOP
    EXECUTE format('ALTER TABLE hub.%I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY lead ON hub.%I TO hub_lead USING (true) WITH CHECK (true)', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE ON hub.%I TO hub_lead', t);
  END LOOP;
END $$;
CREATE POLICY own ON hub.person   FOR SELECT TO hub_rater USING (id = hub.me());
CREATE POLICY own ON hub.claim    FOR SELECT TO hub_rater USING (person_id = hub.me());
CREATE POLICY own ON hub.message  FOR SELECT TO hub_rater
    USING (person_id IS NULL OR person_id = hub.me());
GRANT SELECT ON hub.person, hub.claim, hub.message TO hub_rater;

-- The first statement of every call: after a long time without any the server was away, and leases
-- stood still meanwhile.
CREATE FUNCTION hub.called() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = hub, pg_temp AS $$
DECLARE v_now bigint := hub.now_ms(); v_last bigint;
BEGIN
  SELECT called INTO v_last FROM hub.meta;
  IF v_now - v_last < 60000 THEN RETURN; END IF;
  IF v_now - v_last > 600000 THEN
    SELECT called INTO v_last FROM hub.meta FOR UPDATE;
    v_now := hub.now_ms();
    IF v_now - v_last > 600000 THEN
      UPDATE hub.seat SET until = until + (v_now - v_last) WHERE state = 'held';
    END IF;
  ELSE
    SELECT called INTO v_last FROM hub.meta FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN RETURN; END IF;
  END IF;
  UPDATE hub.meta SET called = v_now WHERE called < v_now;
END $$;

-- The seat of a claim is locked by the caller.
CREATE FUNCTION hub.end_claim(p_claim uuid, p_ending text, p_digest text DEFAULT '') RETURNS bool
    LANGUAGE plpgsql SET search_path = hub, pg_temp AS $$
DECLARE c hub.claim;
BEGIN
  UPDATE hub.claim SET ended_at = hub.now_ms(), ending = p_ending
    WHERE id = p_claim AND ending IS NULL RETURNING * INTO c;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE hub.seat SET state = CASE p_ending WHEN 'submitted' THEN 'done' ELSE 'free' END, until = NULL
    WHERE id = c.seat_id;
  INSERT INTO hub.event (kind, seat_id, claim_id, person_id, digest)
    VALUES (p_ending, c.seat_id, c.id, c.person_id, p_digest);
  RETURN true;
END $$;

CREATE FUNCTION hub.expire() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = hub, pg_temp AS $$
DECLARE c uuid; v_now bigint := hub.now_ms(); BEGIN
  FOR c IN SELECT claim.id FROM hub.seat JOIN hub.claim ON seat_id = seat.id AND ending IS NULL
           WHERE state = 'held' AND until < v_now
           ORDER BY seat.id LIMIT 20 FOR UPDATE OF seat SKIP LOCKED
  LOOP PERFORM hub.end_claim(c, 'expired'); END LOOP;
END $$;

-- What a rater's program may do.
CREATE FUNCTION hub.hello() RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = hub, pg_temp AS $$
DECLARE p hub.person; m hub.meta;
BEGIN
  SELECT * INTO p FROM hub.person WHERE login = session_user AND is_active;
  IF NOT FOUND THEN RAISE EXCEPTION 'not known here' USING ERRCODE = 'HB001'; END IF;
  SELECT * INTO m FROM hub.meta;
  RETURN jsonb_build_object('project_id', m.project_id, 'title', m.title, 'hub_id', m.hub_id,
    'oldest', m.oldest, 'newest', m.newest, 'now', hub.now_ms(), 'lease_ms', m.lease_ms,
    'write_role', m.write_role, 'bundle', m.bundle, 'id', p.id, 'name', p.name, 'roles', p.roles, 'kinds', p.kinds);
END $$;

CREATE FUNCTION hub.leases(p_person uuid, p_claim uuid)
    RETURNS TABLE (claim_id uuid, seat_id text, stage text, version int, until bigint, bundle text, body bytea)
    LANGUAGE sql SET search_path = hub, pg_temp AS $$
  SELECT c.id, s.id, s.stage, s.version, s.until, (SELECT bundle FROM hub.meta), s.body
  FROM hub.claim c JOIN hub.seat s ON s.id = c.seat_id
  WHERE c.person_id = p_person AND c.ending IS NULL AND (p_claim IS NULL OR c.id = p_claim) $$;

CREATE FUNCTION hub.claim(p_claim uuid, p_stages text[], p_protocol int)
    RETURNS TABLE (claim_id uuid, seat_id text, stage text, version int, until bigint, bundle text, body bytea)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = hub, pg_temp AS $$
#variable_conflict use_column
DECLARE p hub.person; m hub.meta; v_seat text; v_grp text; v_now bigint := hub.now_ms(); q record;
BEGIN
  SELECT * INTO m FROM hub.meta;
  IF v_now - m.called >= 60000 THEN PERFORM hub.called(); END IF;
  IF p_protocol NOT BETWEEN m.oldest AND m.newest THEN
    RAISE EXCEPTION '% %', m.oldest, m.newest USING ERRCODE = 'HB002'; END IF;
  -- One claim of a person at a time, so that they never get two seats of a group.
  SELECT * INTO p FROM hub.person WHERE login = session_user AND is_active FOR UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'not known here' USING ERRCODE = 'HB001'; END IF;
  IF EXISTS (SELECT FROM hub.claim c WHERE c.id = p_claim) THEN        -- the reply had got lost
    RETURN QUERY SELECT * FROM hub.leases(p.id, p_claim);
    RETURN;
  END IF;
  IF EXISTS (SELECT FROM hub.seat s WHERE s.state = 'held' AND s.until < v_now) THEN
    PERFORM hub.expire(); END IF;
  SELECT s.id INTO v_seat FROM hub.seat s                              -- one's own seats first
    WHERE s.state = 'free' AND s.only_for = p.id AND s.kind = ANY (p.kinds)
      AND (p_stages IS NULL OR s.stage = ANY (p_stages)) AND p.id <> ALL (s.excluded)
      AND NOT EXISTS (SELECT FROM hub.claim c WHERE c.person_id = p.id AND c.grp = s.grp
                      AND (c.ending IS NULL OR c.ending = 'submitted'))
    ORDER BY s.priority DESC, s.seq LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF v_seat IS NULL THEN
    -- The queues that are open to the person, the one with the most urgent seat first; each is one
    -- ordered scan of an index.
    FOR q IN
      SELECT k.kind, r.role, f.priority, f.seq FROM unnest(p.kinds) k(kind), unnest(p.roles) r(role),
        LATERAL (SELECT s.priority, s.seq FROM hub.seat s
                 WHERE s.state = 'free' AND s.only_for IS NULL AND s.kind = k.kind AND s.role = r.role
                 ORDER BY s.priority DESC, s.seq LIMIT 1) f
      ORDER BY f.priority DESC, f.seq
    LOOP
      SELECT s.id INTO v_seat FROM hub.seat s
        WHERE s.state = 'free' AND s.only_for IS NULL AND s.kind = q.kind AND s.role = q.role
          AND (p_stages IS NULL OR s.stage = ANY (p_stages)) AND p.id <> ALL (s.excluded)
          AND NOT EXISTS (SELECT FROM hub.claim c WHERE c.person_id = p.id AND c.grp = s.grp
                          AND (c.ending IS NULL OR c.ending IN ('submitted', 'revoked')))
        ORDER BY s.priority DESC, s.seq LIMIT 1 FOR UPDATE SKIP LOCKED;
      EXIT WHEN v_seat IS NOT NULL;
    END LOOP;
  END IF;
  IF v_seat IS NULL THEN RETURN; END IF;
  SELECT s.grp INTO v_grp FROM hub.seat s WHERE s.id = v_seat;
  v_now := hub.now_ms();                                               -- there may have been a wait
  INSERT INTO hub.claim (id, seat_id, grp, person_id, since, seen)
    VALUES (p_claim, v_seat, v_grp, p.id, v_now, v_now);
  INSERT INTO hub.event (kind, seat_id, claim_id, person_id) VALUES ('claimed', v_seat, p_claim, p.id);
  RETURN QUERY UPDATE hub.seat s SET state = 'held', until = v_now + m.lease_ms WHERE s.id = v_seat
    RETURNING p_claim, s.id, s.stage, s.version, s.until, m.bundle, s.body;
END $$;

CREATE FUNCTION hub.mine()
    RETURNS TABLE (claim_id uuid, seat_id text, stage text, version int, until bigint, bundle text, body bytea)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = hub, pg_temp AS $$
BEGIN
  IF hub.me() IS NULL THEN RAISE EXCEPTION 'not known here' USING ERRCODE = 'HB001'; END IF;
  RETURN QUERY SELECT * FROM hub.leases(hub.me(), NULL);
END $$;

CREATE FUNCTION hub.tick(p_claims uuid[], p_submitted uuid[], p_since bigint) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = hub, pg_temp AS $$
DECLARE who uuid := hub.me(); v_now bigint := hub.now_ms(); v_lease bigint; told jsonb;
BEGIN
  IF who IS NULL THEN RAISE EXCEPTION 'not known here' USING ERRCODE = 'HB001'; END IF;
  PERFORM hub.called();
  SELECT lease_ms INTO v_lease FROM hub.meta;
  PERFORM FROM hub.seat WHERE id IN (SELECT seat_id FROM hub.claim
    WHERE id = ANY (p_claims) AND person_id = who AND ending IS NULL) ORDER BY id FOR UPDATE;
  UPDATE hub.claim SET seen = v_now
    WHERE id = ANY (p_claims) AND person_id = who AND ending IS NULL;
  UPDATE hub.seat s SET until = v_now + v_lease FROM hub.claim c
    WHERE c.id = ANY (p_claims) AND c.person_id = who AND c.ending IS NULL AND s.id = c.seat_id;
  SELECT jsonb_build_object(
    'now', v_now,
    'until', (SELECT coalesce(jsonb_object_agg(c.id, s.until), '{}')
              FROM hub.claim c JOIN hub.seat s ON s.id = c.seat_id
              WHERE c.id = ANY (p_claims) AND c.person_id = who AND c.ending IS NULL),
    'ended', (SELECT coalesce(jsonb_object_agg(c.id, c.ending), '{}') FROM hub.claim c
              WHERE c.id = ANY (p_claims) AND c.person_id = who AND c.ending IS NOT NULL),
    'messages', (SELECT coalesce(jsonb_agg(jsonb_build_object('number', n.number, 'at', n.at,
                    'text', n.text, 'is_to_all', n.person_id IS NULL) ORDER BY n.number), '[]')
                 FROM hub.message n
                 WHERE n.number > p_since AND (n.person_id IS NULL OR n.person_id = who)),
    'receipts', (SELECT coalesce(jsonb_object_agg(d.claim_id, jsonb_build_object('id', d.digest,
                    'was_late', d.was_late, 'at', d.at, 'outcome', d.outcome)), '{}')
                 FROM (SELECT DISTINCT ON (d.claim_id) d.* FROM hub.delivery d
                       JOIN hub.claim c ON c.id = d.claim_id
                       WHERE c.id = ANY (p_submitted) AND c.person_id = who
                       ORDER BY d.claim_id, d.at DESC, d.digest DESC) d)
  ) INTO told;
  RETURN told;
END $$;

CREATE FUNCTION hub.release(p_claim uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = hub, pg_temp AS $$
DECLARE v_seat text;
BEGIN
  SELECT seat_id INTO v_seat FROM hub.claim WHERE id = p_claim AND person_id = hub.me();
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM FROM hub.seat WHERE id = v_seat FOR UPDATE;
  PERFORM hub.end_claim(p_claim, 'released');
END $$;

-- Work is kept whenever it comes; that of somebody who was removed counts as late.
CREATE FUNCTION hub.submit(p_claim uuid, p_body bytea) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = hub, pg_temp AS $$
DECLARE p hub.person; c hub.claim; d hub.delivery; v_seat text; v_late bool;
  v_digest text := encode(sha256(p_body), 'hex');
BEGIN
  PERFORM hub.called();
  SELECT * INTO p FROM hub.person WHERE login = session_user;
  IF NOT FOUND THEN RAISE EXCEPTION 'not known here' USING ERRCODE = 'HB001'; END IF;
  SELECT seat_id INTO v_seat FROM hub.claim WHERE id = p_claim AND person_id = p.id;
  IF NOT FOUND THEN RAISE EXCEPTION 'no such claim' USING ERRCODE = 'HB003'; END IF;
  PERFORM FROM hub.seat WHERE id = v_seat FOR UPDATE;
  SELECT * INTO c FROM hub.claim WHERE id = p_claim;
  v_late := NOT p.is_active OR (c.ending IS NOT NULL AND c.ending <> 'submitted');
  INSERT INTO hub.delivery (claim_id, digest, body, was_late)
    VALUES (p_claim, v_digest, p_body, v_late) ON CONFLICT DO NOTHING;
  IF FOUND AND NOT hub.end_claim(p_claim, 'submitted', v_digest) THEN
    INSERT INTO hub.event (kind, seat_id, claim_id, person_id, digest)
      VALUES (CASE WHEN v_late THEN 'late' ELSE 'again' END, v_seat, p_claim, p.id, v_digest);
  END IF;
  SELECT * INTO d FROM hub.delivery WHERE claim_id = p_claim AND digest = v_digest;
  RETURN jsonb_build_object('id', d.digest, 'was_late', d.was_late, 'at', d.at, 'outcome', d.outcome);
END $$;

CREATE FUNCTION hub.bundle(p_digest text) RETURNS bytea LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = hub, pg_temp AS $$
BEGIN
  IF hub.me() IS NULL THEN RAISE EXCEPTION 'not known here' USING ERRCODE = 'HB001'; END IF;
  RETURN (SELECT body FROM hub.bundle WHERE digest = p_digest);
END $$;

-- What a lead's program may do besides reading and writing tables.
CREATE FUNCTION hub.revoke(p_claims uuid[]) RETURNS int LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = hub, pg_temp AS $$
DECLARE c uuid; n int := 0;
BEGIN
  FOR c IN SELECT claim.id FROM hub.seat JOIN hub.claim ON seat_id = seat.id AND ending IS NULL
           WHERE claim.id = ANY (p_claims) ORDER BY seat.id FOR UPDATE OF seat
  LOOP IF hub.end_claim(c, 'revoked') THEN n := n + 1; END IF; END LOOP;
  RETURN n;
END $$;

-- After many seats were offered: without statistics a claim would read all of them.
CREATE FUNCTION hub.look_over() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = hub, pg_temp AS $$ BEGIN ANALYZE hub.seat; ANALYZE hub.claim; END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA hub FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hub.now_ms, hub.me, hub.hello, hub.claim, hub.mine, hub.tick, hub.release,
    hub.submit, hub.bundle TO hub_rater, hub_lead;
GRANT EXECUTE ON FUNCTION hub.called, hub.revoke, hub.expire, hub.look_over TO hub_lead;
