BEGIN TRANSACTION;
CREATE TABLE events (
	table_id TEXT NOT NULL,
	number INTEGER NOT NULL,
	at DOUBLE NOT NULL,
	seat SMALLINT,
	kind TEXT NOT NULL,
	text TEXT NOT NULL,
	game INTEGER NOT NULL,
	ms INTEGER NOT NULL,
	owner TEXT,
	PRIMARY KEY (table_id, number),
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
)
 WITHOUT ROWID

;
INSERT INTO "events" VALUES('kQB-dZtmiHlv',1,1794865223.923,1,'sit','Ann',0,0,'6b67236ba30eaacdc2e75fe5771b04f6b92161d71607fb94fc058910e14eb5a8');
INSERT INTO "events" VALUES('kQB-dZtmiHlv',2,1794865223.923,0,'sit','Computer (random)',1,0,NULL);
INSERT INTO "events" VALUES('l1u12sjOl6Fu',1,1794865223.678,0,'sit','Ann',0,0,'6b67236ba30eaacdc2e75fe5771b04f6b92161d71607fb94fc058910e14eb5a8');
INSERT INTO "events" VALUES('l1u12sjOl6Fu',2,1794865223.690,1,'sit','Bob',1,0,'427f4566d9f9e83426693a4505e80cd5b0d4007d5fb9cee5c89e57c5b4abca9c');
INSERT INTO "events" VALUES('l1u12sjOl6Fu',3,1794865223.701,0,'move','2',1,10,NULL);
INSERT INTO "events" VALUES('l1u12sjOl6Fu',4,1794865223.709,0,'offer','takeback',1,8,NULL);
INSERT INTO "events" VALUES('l1u12sjOl6Fu',5,1794865223.713,1,'decline','takeback',1,3,NULL);
INSERT INTO "events" VALUES('l1u12sjOl6Fu',6,1794865223.721,1,'move','0',1,8,NULL);
INSERT INTO "events" VALUES('l1u12sjOl6Fu',7,1794865223.750,0,'offer','rematch',1,0,NULL);
INSERT INTO "events" VALUES('l1u12sjOl6Fu',8,1794865223.753,1,'accept','rematch',2,0,NULL);
INSERT INTO "events" VALUES('l1u12sjOl6Fu',9,1794865223.784,1,'move','0',2,31,NULL);
CREATE TABLE keys (
	name TEXT NOT NULL,
	value TEXT NOT NULL,
	PRIMARY KEY (name)
);
INSERT INTO "keys" VALUES('tokens','-j7FtVgkWBM6GYM1rSUF_WASs7ZBDcJO2BBhssVapXI');
CREATE TABLE server (
	beats BIGINT NOT NULL,
	seconds DOUBLE NOT NULL
);
INSERT INTO "server" VALUES(2,1794865223.914);
CREATE TABLE tables (
	id TEXT NOT NULL,
	game TEXT NOT NULL,
	seed BIGINT NOT NULL,
	player0 TEXT,
	player1 TEXT,
	code TEXT NOT NULL,
	public BOOLEAN NOT NULL,
	clock TEXT,
	away_limit DOUBLE,
	touched DOUBLE NOT NULL,
	status TEXT NOT NULL,
	due BOOLEAN NOT NULL,
	turn SMALLINT,
	name0 TEXT,
	name1 TEXT,
	score0 INTEGER NOT NULL,
	score1 INTEGER NOT NULL,
	plies INTEGER NOT NULL,
	flag_fall DOUBLE,
	PRIMARY KEY (id)
);
INSERT INTO "tables" VALUES('l1u12sjOl6Fu','bit-flip:bits=4',62535579,NULL,NULL,'osmQPVW6UV6O9EES',1,'300+5',NULL,1794865223.765,'running',0,0,'Ann','Bob',0,1,1,1794865524.265);
INSERT INTO "tables" VALUES('kQB-dZtmiHlv','dual-direction',730614967,'random',NULL,'48BxzRgs0FS5GR8F',0,NULL,300.0,1794865223.904,'running',1,0,'Computer (random)','Ann',0,0,0,NULL);
CREATE TABLE transfers (
	table_id TEXT NOT NULL,
	seat SMALLINT NOT NULL,
	digest TEXT NOT NULL,
	expires DOUBLE NOT NULL,
	PRIMARY KEY (table_id, seat),
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE,
	UNIQUE (digest)
);
INSERT INTO "transfers" VALUES('l1u12sjOl6Fu',1,'2a66a34b27f8f70d6ddb837a18b57fd00b83b2ce241dc251b969bb13358400ec',1794865823.768);
CREATE TABLE version (number INTEGER NOT NULL);
INSERT INTO "version" VALUES(1);
CREATE INDEX tables_by_status ON tables (status, touched);
CREATE INDEX events_by_owner ON events (owner) WHERE owner IS NOT NULL;
COMMIT;
